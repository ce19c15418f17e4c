export default {
  group: "clients",
  description: "Add this proxy to the configuration of MCP clients, or remove it",
} as const;
