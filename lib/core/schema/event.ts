import type { ListedKind } from "./item.ts";

/** The causes of `servers.changed`; the reference's words where it has them. */
export const SERVER_CHANGES = [
  // The entry in the configuration.
  "server_added",
  "server_changed",
  "server_removed",
  // The connection.
  "server_connecting",
  "server_authenticating",
  "server_connected",
  "server_disconnected",
  "server_error",
  // Its tools.
  "tools_listed",
  "tools_listing_failed",
  "tools_indexed",
  "tools_changed",
  "tools_approved",
  "tools_blocked",
  "tools_enabled",
  "tools_disabled",
  // Its prompts, resources and resource templates.
  "items_listed",
  "items_listing_failed",
  "items_changed",
  // The sign-in at it, and the last scan.
  "sign_in_changed",
  "scan_settled",
  // The reader came back, or missed something.
  "resumed",
] as const;
export type ServerChange = (typeof SERVER_CHANGES)[number];

/** Why the configuration was reloaded, and how `config.reloaded` words it for readers. */
export const RELOAD_CAUSES = {
  /** The proxy wrote the file itself. */
  saved: "saved",
  /** A person edited the file. */
  edited: "edited by hand",
  /** A person restored the file as it was before an invalid edit. */
  mended: "mended by hand",
} as const;
type ReloadCause = keyof typeof RELOAD_CAUSES;

/** Payload of each event kind (spec 000 §6). The members in `NAMING` name the server an event is about, for scoping. */
export interface Events {
  "servers.changed": { server?: string; reason: ServerChange };
  "config.reloaded": { path: string; cause: ReloadCause };
  "config.saved": { path: string; by: string };
  "config.problem": { reason: string };
  "tools.indexed": { server: string; total: number; added: number; changed: number; removed: number };
  "tools.changed": { server: string };
  /** The server's prompts, resources or resource templates changed, or a decision about them. */
  "items.changed": { server: string; kind: ListedKind };
  /** The server's log has new lines; emitted at most twice a second, and only while the stream has readers. */
  "server.logged": { server: string };
  "secrets.changed": { operation: "store" | "delete"; secret_name: string };
  "active_profile.changed": { active_profile: string };
  "oauth.token_refreshed": { server_name: string; expires_at?: string };
  "oauth.refresh_failed": { server_name: string; error: string };
  "oauth.login_completed": { server_name: string; correlation_id: string };
  "oauth.login_failed": { server_name: string; error: string; correlation_id: string };
  "activity.tool_call.started": ToolCall;
  "activity.tool_call.completed": ToolCall & {
    status: string;
    duration_ms: number;
    error_message?: string;
    tool_variant?: string;
    id: string;
  };
  /** A call rejected for lack of capacity: too many calls were running or queued. */
  "activity.tool_call.rejected": ToolCall & {
    reason: string;
    scope: string;
    limit: number;
    retry_after_ms: number;
    message: string;
    duration_ms: number;
    id: string;
  };
  "activity.policy_decision": ToolCall & { decision: "blocked"; reason: string; id: string };
  "activity.quarantine_change": Noted & { server_name: string; quarantined: boolean; reason?: string };
  "activity.tool_quarantine_change": Noted & { server_name: string; tool_name: string; action: string };
  "activity.config_change": Noted & { action: string; affected_entity: string; changed_fields?: readonly string[] };
  "activity.preflight.completed": Noted & { verdict: string; ids_count: number };
  "activity.code_execution.completed": Noted & {
    internal_tool_name: string;
    status: string;
    duration_ms: number;
    session_id?: string;
  };
  /** The sensitive data found in a call, without the values. */
  "sensitive_data.detected": ToolCall & {
    activity_id: string;
    detection_count: number;
    max_severity: string;
    detection_types: readonly string[];
  };
  /** A scan of a server ended. */
  "security.scan_settled": {
    server_name: string;
    job_id: string;
    status: "completed" | "failed" | "cancelled";
    verdict?: string;
    risk_score?: number;
    findings_summary?: Record<string, number>;
    error?: string;
  };
  /** A person approved or rejected a server after a scan. */
  "security.decision": { server_name: string; decision: "approved" | "rejected" };
  /** What a server runs differs from what was approved, although nobody changed its entry. */
  "security.integrity_alert": { server_name: string; alert_type: string; action: "reported" | "quarantined" };
  "security.scanner_changed": { scanner_id: string; status: string; error?: string };
  "activity.system.start": { version: string; listen_address: string; startup_duration_ms: number };
  "activity.system.stop": { reason: string; uptime_seconds: number };
}

interface ToolCall {
  server_name: string;
  tool_name: string;
  request_id: string;
  source: string;
  session_id?: string;
  parent_id?: string;
}

/** Members of every event about a record; `id` identifies the record. */
interface Noted {
  source: string;
  request_id?: string;
  id: string;
}

/** The events as the event stream carries them, with the cause of a reload as words. */
export type StreamedEvents = Omit<Events, "config.reloaded"> & { "config.reloaded": { path: string; reason: string } };

/** Members of payloads that name a server (spec 000 §6). */
export const SERVER_NAME_MEMBERS = ["server_name", "server", "target_server", "affected_entity"] as const;

export type EventKind = keyof Events;

/** Every event kind, to validate kinds that come from outside. */
export const EVENT_KINDS: Readonly<Record<EventKind, true>> = {
  "servers.changed": true,
  "config.reloaded": true,
  "config.saved": true,
  "config.problem": true,
  "tools.indexed": true,
  "tools.changed": true,
  "items.changed": true,
  "server.logged": true,
  "secrets.changed": true,
  "active_profile.changed": true,
  "oauth.token_refreshed": true,
  "oauth.refresh_failed": true,
  "oauth.login_completed": true,
  "oauth.login_failed": true,
  "activity.tool_call.started": true,
  "activity.tool_call.completed": true,
  "activity.tool_call.rejected": true,
  "activity.policy_decision": true,
  "activity.quarantine_change": true,
  "activity.tool_quarantine_change": true,
  "activity.config_change": true,
  "activity.preflight.completed": true,
  "activity.code_execution.completed": true,
  "sensitive_data.detected": true,
  "security.scan_settled": true,
  "security.decision": true,
  "security.integrity_alert": true,
  "security.scanner_changed": true,
  "activity.system.start": true,
  "activity.system.stop": true,
};
export type EventOf<K extends EventKind = EventKind> = {
  [P in K]: { kind: P; at: number; data: Events[P]; user?: string };
}[K];
