export default { group: "clients", description: "List and show sessions of MCP clients" } as const;
