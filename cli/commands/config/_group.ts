export default { description: "Look at the configuration" };
