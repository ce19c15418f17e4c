export default { description: "Manage upstream MCP servers" };
