export default { description: "List and show sessions of MCP clients" };
