import { systemClock } from "#lib/core/base/clock.ts";
import type { Args } from "./command.ts";
import { UsageError } from "./exit.ts";
import { readTime } from "./time.ts";

/** Flags that select activity records, for `activity list` and `activity export`. */
export const FILTERS = {
  type: {
    type: "string",
    alias: "t",
    valueHint: "types",
    description: "record types such as tool_call or policy_decision, comma-separated",
  },
  server: {
    type: "string",
    alias: "s",
    names: "servers",
    valueHint: "name",
    description: "only records of this server",
  },
  tool: { type: "string", valueHint: "name", description: "only records of tools with this name" },
  status: { type: "string", valueHint: "status", description: "success, error, blocked or rejected" },
  session: { type: "string", valueHint: "id", description: "only records of this MCP session" },
  client: {
    type: "string",
    valueHint: "name",
    description: "only records of MCP clients with this name, in sessions that are still listed",
  },
  "request-id": { type: "string", valueHint: "id", description: "only records of this request" },
  agent: { type: "string", valueHint: "name", description: "only records of this caller, such as an agent token" },
  auth: { type: "string", valueHint: "type", description: "only this kind of caller: admin, agent, user or anonymous" },
  intent: {
    type: "string",
    valueHint: "type",
    description: "only calls with this declared intent: read, write or destructive",
  },
  sensitive: {
    type: "boolean",
    description: "only records with sensitive data; --no-sensitive: only records without",
  },
  detection: {
    type: "string",
    valueHint: "type",
    description: "only records with a detection of this type, such as github_pat",
  },
  severity: {
    type: "string",
    valueHint: "severity",
    description: "only records whose highest severity is this: low, medium, high or critical",
  },
  since: {
    type: "string",
    valueHint: "time",
    description: "only records after this time, such as 2h, 7d, 2026-01-31 or 2026-01-31T09:30:00Z",
  },
  until: { type: "string", valueHint: "time", description: "only records before this time" },
} as const satisfies Args;

type Given = { [K in Exclude<keyof typeof FILTERS, "sensitive">]: string | undefined } & {
  sensitive?: boolean | undefined;
};

/** The flags as query parameters; absent flags are omitted. */
export function filterQuery(args: Given): Record<string, string> {
  const { type, server, tool, status, session, client, agent, auth, intent, sensitive, detection } = args;
  const { severity, since, until } = args;
  const filters = {
    type,
    server,
    tool,
    status,
    session_id: session,
    client,
    request_id: args["request-id"],
    agent,
    auth_type: auth,
    intent_type: intent,
    sensitive_data: sensitive === undefined ? undefined : String(sensitive),
    detection_type: detection,
    severity,
    start_time: timeOf("--since", since),
    end_time: timeOf("--until", until),
  };
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text, systemClock.now());
  if (time === undefined)
    throw new UsageError(`${flag} must be a time such as 2h, 7d, 2026-01-31 or 2026-01-31T09:30:00Z, not "${text}"`);
  return time;
}
