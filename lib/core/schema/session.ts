/** One MCP client session. Kept in memory while only its handshake is known; stored from its first tool call on (spec 000 §3). */
export interface SessionRecord {
  id: string;
  status: "active" | "closed";
  client_name: string;
  client_version: string;
  /** Endpoint mode it was opened on. */
  mode: string;
  actor: string;
  client_ip?: string;
  started_at: number;
  last_active_at: number;
  closed_at?: number;
  tool_calls: number;
}
