export default { description: "List, search, approve and compare tools" };
