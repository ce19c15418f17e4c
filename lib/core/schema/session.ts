/**
 * One MCP client session. It is only in memory after the handshake; it is stored when it makes its first tool call
 * (spec 000 §3).
 */
export interface SessionRecord {
  id: string;
  status: "active" | "closed";
  client_name: string;
  client_version: string;
  /** Routing mode of the endpoint at which the session was opened. */
  mode: string;
  actor: string;
  client_ip?: string;
  started_at: number;
  last_active_at: number;
  closed_at?: number;
  tool_calls: number;
}
