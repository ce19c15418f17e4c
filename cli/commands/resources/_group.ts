export default {
  group: "tools",
  description: "List, show, approve and block resources and resource templates",
} as const;
