import { activityActionText, activityClientText } from "#lib/core/verbs/activity/activity-text.ts";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";
import type { Data } from "../../api.ts";
import type { Tone } from "../../parts/badge.tsx";
import { duration } from "../../parts/time.tsx";

export type Entry = Data<"GET /api/v1/activity">["activities"][number];

/** Labels of record types. */
export const TYPES: Record<Entry["type"], string> = {
  tool_call: "Tool call",
  resource_read: "Resource read",
  prompt_get: "Prompt",
  completion: "Completion",
  code_execution: "Script",
  question: "Question",
  policy_decision: "Policy decision",
  preflight: "Preflight",
  server_change: "Server changed",
  config_change: "Configuration changed",
  quarantine_change: "Quarantine",
  tool_quarantine_change: "Approval",
  security_scan: "Security scan",
  system_start: "Proxy started",
  system_stop: "Proxy stopped",
};

export const STATUS: Record<Entry["status"], readonly [word: string, tone: Tone]> = {
  success: ["OK", "ok"],
  error: ["Failed", "bad"],
  blocked: ["Blocked", "warn"],
  rejected: ["No capacity", "wait"],
};

export const SOURCES: Record<Entry["source"], string> = {
  mcp: "an MCP client",
  api: "the REST API",
  cli: "the command line",
  internal: "the proxy itself",
};

const isVerdict = (word: unknown): word is "clean" | "suspicious" | "dangerous" =>
  word === "clean" || word === "suspicious" || word === "dangerous";

/** The tool, script or action of a record, in a few words. */
export function subjectOf({ type, tool_name, server_name, metadata = {} }: Entry): string {
  if (type === "code_execution") return typeof metadata.script === "string" ? metadata.script : "code";
  const { action, verdict, risk_score } = metadata;
  if (type === "security_scan" && isVerdict(verdict) && typeof risk_score === "number")
    return verdictText({ verdict, risk_score });
  if (tool_name !== "")
    return type === "tool_quarantine_change" && typeof action === "string" ? `${action} ${tool_name}` : tool_name;
  const done =
    typeof action === "string" ? activityActionText(metadata).replace(action, action.replaceAll("_", " ")) : "";
  return done || server_name || TYPES[type];
}

/** The client, and the caller if it is named. */
export function byText(entry: Entry): string {
  const client = activityClientText(entry.metadata);
  const caller = entry.actor === "anonymous" && client !== "" ? undefined : entry.actor;
  return [client, caller && client ? `(${caller})` : caller].filter(Boolean).join(" ");
}

/** The client by its name, or else the caller. */
export function clientOf({ metadata = {}, actor = "" }: Entry): string {
  return typeof metadata.client_name === "string" && metadata.client_name !== "" ? metadata.client_name : actor;
}

/** The duration, for records where it is meaningful. */
export function took({ type, duration_ms }: Entry): string {
  const isRun = type === "tool_call" || type === "code_execution";
  return isRun || duration_ms > 0 ? duration(duration_ms) : "";
}

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** The time of day, with the date for earlier days. */
export function moment(timestamp: string, now = new Date()): string {
  const at = new Date(timestamp);
  if (Number.isNaN(at.getTime())) return "";
  return at.toDateString() === now.toDateString() ? time.format(at) : `${day.format(at)} ${time.format(at)}`;
}

/** Labels of kinds of sensitive data, which the API sends in the form `github_pat`. */
export const kindsOf = ({ detection_types = [] }: Entry) => detection_types.map((k) => k.replaceAll("_", " "));
