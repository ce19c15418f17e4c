export default { group: "tools", description: "List, search, approve and compare tools" } as const;
