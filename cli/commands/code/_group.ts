export default { description: "Run scripts that call tools, and see which are stored" };
