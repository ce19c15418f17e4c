export default { description: "List, show, approve and block resources and resource templates" };
