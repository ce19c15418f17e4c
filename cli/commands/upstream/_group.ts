export default { about: "Add, list and look after upstream MCP servers" };
