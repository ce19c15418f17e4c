export default { description: "Look at the named sets of servers and choose one" };
