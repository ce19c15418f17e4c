export default { group: "servers", description: "Manage upstream MCP servers" } as const;
