export default { description: "List, show, approve and block prompts" };
