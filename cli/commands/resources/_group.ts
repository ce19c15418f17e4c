export default { description: "List, approve and block resources and resource templates" };
