export default { group: "program", description: "Manage users of the multi-user edition" } as const;
