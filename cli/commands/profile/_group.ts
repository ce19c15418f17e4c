export default { group: "clients", description: "List profiles (named sets of servers) and choose one" } as const;
