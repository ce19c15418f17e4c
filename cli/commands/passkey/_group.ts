export default {
  group: "settings",
  description: "Manage the passkeys with which you sign in to the control panel",
} as const;
