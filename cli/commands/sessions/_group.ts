export default { description: "Look at the sessions of MCP clients" };
