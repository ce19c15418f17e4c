export default { description: "Look at the configuration, change it, and take changes back" };
