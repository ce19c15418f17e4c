export default { group: "watch", description: "Verify the audit log" } as const;
