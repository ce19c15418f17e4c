export default { description: "Write this proxy into the configuration of MCP clients, and take it out again" };
