export default { description: "List and show stored scripts" };
