export default { description: "Add this proxy to the configuration of MCP clients, or remove it" };
