import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Actor } from "../schema/caller.ts";
import type { Events } from "../schema/event.ts";
import { type SensitiveFinding, worstSeverity } from "../schema/sensitive-finding.ts";
import type { NewActivityRecord } from "./record-activity.ts";

/** The tool that is called. */
interface Which {
  server: string;
  tool: string;
}

/** Publishes that a call has started. */
export function publishCallStarted(app: App, by: Actor, which: Which): void {
  app.events.publish("activity.tool_call.started", about(by, which), by.caller.user?.id);
}

/** Publishes the outcome of a call with the id of its record, which contains arguments and response. */
export function publishCallEnded(
  app: App,
  by: Actor,
  which: Which,
  id: string,
  entry: NewActivityRecord,
  error: unknown,
): void {
  const duration_ms = entry.duration_ms ?? 0;
  if (entry.status === "rejected" && error instanceof Fault) {
    const { scope, limit, retryAfterMs } = error.facts as { scope: string; limit: number; retryAfterMs: number };
    const why = { reason: error.code, scope, limit, retry_after_ms: retryAfterMs, message: error.message };
    const rejected = { ...about(by, which), ...why, duration_ms, id };
    app.events.publish("activity.tool_call.rejected", rejected, by.caller.user?.id);
    return;
  }
  const completed = about(by, which) as Events["activity.tool_call.completed"];
  completed.status = entry.status;
  completed.duration_ms = duration_ms;
  if (entry.error_message !== undefined) completed.error_message = entry.error_message;
  const variant = entry.metadata?.tool_variant;
  if (typeof variant === "string") completed.tool_variant = variant;
  completed.id = id;
  app.events.publish("activity.tool_call.completed", completed, by.caller.user?.id);
}

/** Publishes that a call was rejected before anything was sent. */
export function publishCallBlocked(app: App, by: Actor, which: Which, id: string, reason: string): void {
  const blocked = { ...about(by, which), decision: "blocked" as const, reason, id };
  app.events.publish("activity.policy_decision", blocked, by.caller.user?.id);
}

/** Publishes that sensitive data was found in a call, with the id of its record but without the values. */
export function publishCallFindings(
  app: App,
  by: Actor,
  which: Which,
  id: string,
  found: readonly SensitiveFinding[],
): void {
  const told: Events["sensitive_data.detected"] = {
    ...about(by, which),
    activity_id: id,
    detection_count: found.length,
    max_severity: worstSeverity(found) ?? "low",
    detection_types: [...new Set(found.map(({ type }) => type))],
  };
  app.events.publish("sensitive_data.detected", told, by.caller.user?.id);
}

// Members are set one by one, because a spread would make calls measurably slower.
function about({ origin }: Actor, { server, tool }: Which): Events["activity.tool_call.started"] {
  const told: Events["activity.tool_call.started"] = {
    server_name: server,
    tool_name: tool,
    request_id: origin.requestId,
    source: origin.source,
  };
  if (origin.sessionId !== undefined) told.session_id = origin.sessionId;
  if (origin.parentId !== undefined) told.parent_id = origin.parentId;
  return told;
}
