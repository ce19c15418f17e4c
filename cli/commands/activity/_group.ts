export default { about: "Look at what was called, blocked and changed" };
