export default { group: "tools", description: "Run scripts that call tools, and list stored scripts" } as const;
