/** Pages of the panel, as paths below `/ui`, that notices link to. */
export const panelPage = {
  /** @param server whose waiting items are shown */
  approvals: (server: string) => `/approvals?server=${encodeURIComponent(server)}`,
  server: (name: string) => `/servers/${encodeURIComponent(name)}`,
  scan: (server: string) => `/security/servers/${encodeURIComponent(server)}`,
  activityRecord: (id: string) => `/activity/${encodeURIComponent(id)}`,
  rejectedCalls: "/activity?status=rejected",
  tokens: "/tokens",
} as const;
