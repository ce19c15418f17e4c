export default { group: "tools", description: "List, show, approve and block prompts" } as const;
