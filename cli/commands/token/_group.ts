export default {
  group: "clients",
  description: "Manage agent tokens, which are limited to servers and permissions",
} as const;
