import * as v from "valibot";
import { type EventKind, SERVER_CHANGES, type StreamedEvents } from "./event.ts";
import { LISTED_KINDS } from "./item.ts";
import { ServerRecord } from "./server-record.ts";

const about = v.description;
const text = v.string();
const texts = v.pipe(v.array(text), v.readonly());
const may = v.exactOptional;

const call = {
  server_name: text,
  tool_name: text,
  request_id: text,
  source: text,
  session_id: may(text),
  parent_id: may(text),
};
const record = {
  source: text,
  request_id: may(text),
  id: v.pipe(text, about("id of the activity record")),
};

/** The numbers of servers, tools and other items that wait for a person's decision. */
const WaitingCounts = v.object({
  servers: v.pipe(v.number(), about("number of servers that need review or confirmation")),
  tools: v.pipe(v.number(), about("number of new and changed tools of all other servers")),
  items: v.pipe(v.number(), about("number of new and changed prompts, resources and resource templates of these")),
  total: v.number(),
});

/** Counts over the servers that a caller may see, and a summary of each connection (spec 000 §2.2). */
export const UpstreamStatsPayload = v.object({
  total_servers: v.number(),
  connected_servers: v.number(),
  disabled_servers: v.number(),
  quarantined_servers: v.number(),
  total_tools: v.number(),
  waiting: WaitingCounts,
  servers: v.pipe(
    v.record(
      text,
      v.object({
        status: v.pipe(text, about("connection state, in lower case")),
        enabled: v.boolean(),
        connected: v.boolean(),
        quarantined: v.boolean(),
        tool_count: v.number(),
        retry_count: v.number(),
        reconnect_count: v.number(),
        last_error: may(text),
      }),
    ),
    about("by server name"),
  ),
});

const reason = v.pipe(
  v.picklist(SERVER_CHANGES),
  about("reason for the event; the latest, if several changes were merged"),
);

/** The payload of `servers.changed`: the notice, and the records as the reader of the stream may see them. */
const ServersChanged = v.object({
  server: may(v.pipe(text, about("server that changed; absent if several did or if it is unknown which"))),
  reason,
  changes: may(
    v.pipe(
      v.array(v.object({ server: text, reason: text })),
      about("reasons of all changes that were merged into this event"),
    ),
  ),
  servers: may(
    v.pipe(
      v.array(ServerRecord),
      about(
        "server records with masked secrets; absent for administrators who may read unmasked values with `GET /api/v1/servers`",
      ),
    ),
  ),
  stats: may(
    v.object({
      total_servers: v.number(),
      connected_servers: v.number(),
      quarantined_servers: v.number(),
      total_tools: v.number(),
      waiting: WaitingCounts,
    }),
  ),
  removed: may(v.pipe(v.array(text), about("with `servers=changed`: names of removed servers"))),
});

/** The payload of each event kind on the event stream (spec 000 §6). The compiler checks it against `StreamedEvents`. */
export const EVENT_PAYLOADS = {
  "servers.changed": ServersChanged,
  "config.reloaded": v.object({ path: text, reason: text }),
  "config.saved": v.object({ path: text, by: text }),
  "config.problem": v.object({ reason: text }),
  "tools.indexed": v.object({
    server: text,
    total: v.number(),
    added: v.number(),
    changed: v.number(),
    removed: v.number(),
  }),
  "tools.changed": v.object({ server: text }),
  "items.changed": v.object({
    server: text,
    kind: v.pipe(v.picklist(LISTED_KINDS), about("what changed: prompts, resources or resource templates")),
  }),
  "server.logged": v.object({ server: text }),
  "secrets.changed": v.object({ operation: v.picklist(["store", "delete"]), secret_name: text }),
  "active_profile.changed": v.object({ active_profile: text }),
  "oauth.token_refreshed": v.object({ server_name: text, expires_at: may(text) }),
  "oauth.refresh_failed": v.object({ server_name: text, error: text }),
  "oauth.login_completed": v.object({ server_name: text, correlation_id: text }),
  "oauth.login_failed": v.object({ server_name: text, error: text, correlation_id: text }),
  "activity.tool_call.started": v.object(call),
  "activity.tool_call.completed": v.object({
    ...call,
    status: text,
    duration_ms: v.number(),
    error_message: may(text),
    tool_variant: may(text),
    id: text,
  }),
  "activity.tool_call.rejected": v.object({
    ...call,
    reason: text,
    scope: text,
    limit: v.number(),
    retry_after_ms: v.number(),
    message: text,
    duration_ms: v.number(),
    id: text,
  }),
  "activity.policy_decision": v.object({ ...call, decision: v.literal("blocked"), reason: text, id: text }),
  "activity.quarantine_change": v.object({
    ...record,
    server_name: text,
    quarantined: v.boolean(),
    reason: may(text),
  }),
  "activity.tool_quarantine_change": v.object({ ...record, server_name: text, tool_name: text, action: text }),
  "activity.config_change": v.object({
    ...record,
    action: text,
    affected_entity: text,
    changed_fields: may(texts),
  }),
  "activity.preflight.completed": v.object({ ...record, verdict: text, ids_count: v.number() }),
  "activity.code_execution.completed": v.object({
    ...record,
    internal_tool_name: text,
    status: text,
    duration_ms: v.number(),
    session_id: may(text),
  }),
  "sensitive_data.detected": v.object({
    ...call,
    activity_id: text,
    detection_count: v.number(),
    max_severity: text,
    detection_types: texts,
  }),
  "security.scan_settled": v.object({
    server_name: text,
    job_id: text,
    status: v.picklist(["completed", "failed", "cancelled"]),
    verdict: may(text),
    risk_score: may(v.number()),
    findings_summary: may(v.record(text, v.number())),
    error: may(text),
  }),
  "security.decision": v.object({ server_name: text, decision: v.picklist(["approved", "rejected"]) }),
  "security.integrity_alert": v.object({
    server_name: text,
    alert_type: text,
    action: v.picklist(["reported", "quarantined"]),
  }),
  "security.scanner_changed": v.object({ scanner_id: text, status: text, error: may(text) }),
  "activity.system.start": v.object({ version: text, listen_address: text, startup_duration_ms: v.number() }),
  "activity.system.stop": v.object({ reason: text, uptime_seconds: v.number() }),
} satisfies { readonly [K in EventKind]: v.GenericSchema<unknown, StreamedEvents[K]> };

/** Wraps a payload in a frame with its time, in whole seconds since the epoch and as RFC 3339. */
const dated = <const P extends v.GenericSchema>(payload: P) =>
  v.object({
    payload,
    timestamp: v.pipe(v.number(), about("seconds since the epoch")),
    at: v.pipe(text, about("RFC 3339")),
  });

/** The schema of the `data` of each frame of the event stream, by the `event` of the frame. */
export const EVENT_FRAMES: Readonly<Record<string, v.GenericSchema>> = {
  status: v.pipe(
    v.object({
      running: v.boolean(),
      status: text,
      version: text,
      listen_addr: text,
      upstream_stats: UpstreamStatsPayload,
      timestamp: v.number(),
    }),
    about("first event of a stream: the current status"),
  ),
  ping: v.pipe(v.object({ timestamp: v.number() }), about("heartbeat, every 30 seconds")),
  gap: v.pipe(
    dated(v.object({ reason: v.picklist(["unknown_id", "expired"]), lost: may(v.number()) })),
    about("events were lost, because the client was too slow or its `Last-Event-ID` belongs to an earlier run"),
  ),
  ...Object.fromEntries(Object.entries(EVENT_PAYLOADS).map(([kind, payload]) => [kind, dated(payload)])),
};
