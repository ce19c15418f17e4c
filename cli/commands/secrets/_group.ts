export default { group: "settings", description: "Store secrets outside the configuration file" } as const;
