export default { description: "Add, list and look after upstream MCP servers" };
