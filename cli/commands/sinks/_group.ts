export default { group: "watch", description: "Show and test the receivers of activity and audit records" } as const;
