import { systemClock } from "#lib/core/base/clock.ts";
import type { Args } from "./command.ts";
import { UsageError } from "./exit.ts";
import { readTime } from "./time.ts";

/** The flags that say which records are meant, for `activity list` and `activity export`. */
export const FILTERS = {
  type: {
    type: "string",
    alias: "t",
    valueHint: "types",
    description: "such as tool_call or policy_decision; several with commas",
  },
  server: { type: "string", alias: "s", valueHint: "name", description: "only about this server" },
  tool: { type: "string", valueHint: "name", description: "only about tools of this name" },
  status: { type: "string", valueHint: "status", description: "success, error, blocked or rejected" },
  session: { type: "string", valueHint: "id", description: "only of this MCP session" },
  "request-id": { type: "string", valueHint: "id", description: "only of this request" },
  agent: { type: "string", valueHint: "name", description: "only what this caller did, such as an agent token" },
  auth: { type: "string", valueHint: "type", description: "only what came in as admin, agent, user or anonymous" },
  intent: { type: "string", valueHint: "type", description: "only calls declared as read, write or destructive" },
  sensitive: {
    type: "boolean",
    description: "only where sensitive data was found; --no-sensitive: only where none was",
  },
  detection: { type: "string", valueHint: "type", description: "only where this was found, such as github_pat" },
  severity: {
    type: "string",
    valueHint: "severity",
    description: "only with this as the worst: low, medium, high or critical",
  },
  since: {
    type: "string",
    valueHint: "time",
    description: "after this time, such as 2h, 7d, 2026-01-31 or 2026-01-31T09:30:00Z",
  },
  until: { type: "string", valueHint: "time", description: "before this time" },
} as const satisfies Args;

type Given = { [K in Exclude<keyof typeof FILTERS, "sensitive">]: string | undefined } & {
  sensitive?: boolean | undefined;
};

/** The same as query parameters; what was not given is absent. */
export function filterQuery(args: Given): Record<string, string> {
  const { type, server, tool, status, session, agent, auth, intent, sensitive, detection } = args;
  const { severity, since, until } = args;
  const asked = {
    type,
    server,
    tool,
    status,
    session_id: session,
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
    Object.entries(asked).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text, systemClock.now());
  if (time === undefined)
    throw new UsageError(`${flag} is a time such as 2h, 7d, 2026-01-31 or 2026-01-31T09:30:00Z, not "${text}"`);
  return time;
}
