export default { about: "Look at the configuration" };
