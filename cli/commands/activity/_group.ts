export default { description: "Look at what was called, blocked and changed" };
