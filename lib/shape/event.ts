/** Payload of each event kind (spec 000 §6). `server` names the server an event is about, for scoping. */
export interface Events {
  "servers.changed": { server?: string; reason: string };
  "config.reloaded": { reason: string };
  "config.saved": { by: string };
  "config.problem": { reason: string };
  "tools.indexed": { server: string; total: number; added: number; changed: number; removed: number };
  "tools.changed": { server: string };
  "secrets.changed": { name: string };
  "active_profile.changed": { profile: string };
  "activity.tool_call.started": { server_name: string; tool_name: string; request_id: string; session_id?: string };
  "activity.tool_call.completed": {
    server_name: string;
    tool_name: string;
    request_id: string;
    session_id?: string;
    status: string;
    duration_ms: number;
    id: string;
  };
  "activity.policy_decision": {
    server_name: string;
    tool_name: string;
    request_id: string;
    reason: string;
    id: string;
  };
  "activity.system.started": { version: string };
  "activity.system.stopping": { reason: string };
}
export type EventKind = keyof Events;
export type EventOf<K extends EventKind = EventKind> = { [P in K]: { kind: P; at: number; data: Events[P] } }[K];
