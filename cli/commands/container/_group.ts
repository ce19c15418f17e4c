export default { group: "servers", description: "Show container isolation" } as const;
