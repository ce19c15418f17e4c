/** One MCP client session. Held in memory after the handshake; stored from its first tool call on (spec 000 §3). */
export interface SessionRecord {
  id: string;
  status: "active" | "closed";
  client_name: string;
  client_version: string;
  /** Mode of the endpoint on which the session was opened. */
  mode: string;
  actor: string;
  client_ip?: string;
  started_at: number;
  last_active_at: number;
  closed_at?: number;
  tool_calls: number;
}
