import type { ListedKind } from "./item.ts";

/** The causes of `servers.changed`, named as in the reference as far as it has them. */
export const SERVER_CHANGES = [
  // The entry in the configuration changed.
  "server_added",
  "server_changed",
  "server_removed",
  // The state of the connection changed.
  "server_connecting",
  "server_authenticating",
  "server_connected",
  "server_disconnected",
  "server_error",
  // The tools changed.
  "tools_listed",
  "tools_listing_failed",
  "tools_indexed",
  "tools_changed",
  "tools_approved",
  "tools_blocked",
  "tools_enabled",
  "tools_disabled",
  // The prompts, resources or resource templates changed.
  "items_listed",
  "items_listing_failed",
  "items_changed",
  // The proxy's sign-in at the server changed, or a scan ended.
  "sign_in_changed",
  "scan_settled",
  // The reader reconnected, or missed events.
  "resumed",
] as const;
export type ServerChange = (typeof SERVER_CHANGES)[number];

/** Why the configuration was reloaded, and the text for it in `config.reloaded`. */
export const RELOAD_CAUSES = {
  /** The proxy wrote the file itself. */
  saved: "saved",
  /** A person edited the file. */
  edited: "edited by hand",
  /** A person repaired the file after an invalid edit. */
  mended: "mended by hand",
} as const;
type ReloadCause = keyof typeof RELOAD_CAUSES;

/**
 * Payload of each event kind (spec 000 §6). `SERVER_NAME_MEMBERS` lists the members that name the server of an event;
 * by them readers are sent only events about their servers.
 */
export interface Events {
  "servers.changed": { server?: string; reason: ServerChange };
  "config.reloaded": { path: string; cause: ReloadCause };
  "config.saved": { path: string; by: string };
  "config.problem": { reason: string };
  "tools.indexed": { server: string; total: number; added: number; changed: number; removed: number };
  "tools.changed": { server: string };
  /** A prompt, resource or resource template of the server changed, or a decision about one. */
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
  /** Sensitive data was found in a call; the payload does not contain the values. */
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
  /** What a server runs differs from what was approved, although its entry was not changed. */
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

/** Members of every event about an activity record; `id` identifies the record. */
interface Noted {
  source: string;
  request_id?: string;
  id: string;
}

/** The events as they are sent on the event stream, with the cause of a reload as text. */
export type StreamedEvents = Omit<Events, "config.reloaded"> & { "config.reloaded": { path: string; reason: string } };

/** Members of payloads that contain the name of a server (spec 000 §6). */
export const SERVER_NAME_MEMBERS = ["server_name", "server", "target_server", "affected_entity"] as const;

export type EventKind = keyof Events;

/** All event kinds, for checking kinds that come from outside. */
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
