export default { description: "Store secrets outside the configuration file" };
