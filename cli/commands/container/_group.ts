export default { description: "Show container isolation" };
