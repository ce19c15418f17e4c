export default { description: "List profiles (named sets of servers) and choose one" };
