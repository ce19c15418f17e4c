export default { description: "List, approve and block prompts" };
