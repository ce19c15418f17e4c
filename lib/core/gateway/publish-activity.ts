import type { App } from "../app.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import type { Events } from "../schema/event.ts";

/**
 * Publishes the events for an activity record. Other code publishes those for calls, blocked calls, and the start and
 * stop of the program, because these events contain more than the record.
 */
export function publishActivity({ events }: Pick<App, "events">, row: ActivityRecord): void {
  switch (row.type) {
    case "quarantine_change":
      events.publish("activity.quarantine_change", quarantine(row), row.user_id);
      break;
    case "tool_quarantine_change":
      events.publish("activity.tool_quarantine_change", decision(row), row.user_id);
      break;
    case "server_change":
    case "config_change":
      events.publish("activity.config_change", change(row), row.user_id);
      break;
    case "preflight":
      events.publish("activity.preflight.completed", check(row), row.user_id);
      break;
    case "code_execution":
      events.publish("activity.code_execution.completed", execution(row), row.user_id);
      break;
  }
}

function quarantine(row: ActivityRecord): Events["activity.quarantine_change"] {
  const { quarantined, reason } = row.metadata ?? {};
  return {
    server_name: row.server_name ?? "",
    quarantined: quarantined === true,
    ...(typeof reason === "string" && { reason }),
    ...noted(row),
  };
}

function decision(row: ActivityRecord): Events["activity.tool_quarantine_change"] {
  const { server_name = "", tool_name = "", metadata } = row;
  return { server_name, tool_name, action: String(metadata?.action ?? "change"), ...noted(row) };
}

function change(row: ActivityRecord): Events["activity.config_change"] {
  const { action, affected_entity, fields } = row.metadata ?? {};
  return {
    action: String(action ?? "change"),
    affected_entity: row.server_name ?? String(affected_entity ?? "configuration"),
    ...(Array.isArray(fields) && { changed_fields: fields.map(String) }),
    ...noted(row),
  };
}

function check(row: ActivityRecord): Events["activity.preflight.completed"] {
  const { verdict, ids_count } = row.metadata ?? {};
  return { verdict: String(verdict), ids_count: Number(ids_count), ...noted(row) };
}

/** The error text of a failed script is omitted, because it may name servers outside a reader's scope. */
function execution(row: ActivityRecord): Events["activity.code_execution.completed"] {
  const { tool_name = "", status, duration_ms = 0, session_id } = row;
  return {
    internal_tool_name: tool_name,
    status,
    duration_ms,
    ...(session_id !== undefined && { session_id }),
    ...noted(row),
  };
}

function noted({ source, request_id, id }: ActivityRecord) {
  return { source, ...(request_id !== undefined && { request_id }), id };
}
