export default { description: "Keep secrets out of the configuration file" };
