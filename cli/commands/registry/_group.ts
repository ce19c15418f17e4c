export default { group: "servers", description: "Find servers in registries and install them" } as const;
