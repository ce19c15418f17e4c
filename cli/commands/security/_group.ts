export default {
  group: "servers",
  description: "Scan servers for malicious content, and approve or reject them",
} as const;
