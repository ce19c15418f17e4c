export default { about: "Look at the sessions of MCP clients" };
