export default { description: "Show, change and restore the configuration" };
