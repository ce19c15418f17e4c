export default { about: "List, search, approve and compare tools" };
