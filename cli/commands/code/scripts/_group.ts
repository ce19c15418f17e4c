export default { description: "Look at the stored scripts" };
