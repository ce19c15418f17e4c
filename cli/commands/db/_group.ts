export default { group: "watch", description: "Check the database, and recover a damaged one" } as const;
