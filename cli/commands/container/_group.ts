export default { description: "Look at the isolation of servers in containers" };
