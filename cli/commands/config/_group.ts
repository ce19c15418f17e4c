export default { group: "settings", description: "Show, change and restore the configuration" } as const;
