export default { description: "Run scripts that call tools, and list stored scripts" };
