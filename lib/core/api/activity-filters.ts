import * as v from "valibot";
import {
  ACTIVITY_TYPES,
  type ActivityFilter,
  type ActivityType,
  AUTH_TYPES,
  INTENT_TYPES,
} from "../schema/activity.ts";
import { SENSITIVE_SEVERITIES } from "../schema/sensitive-finding.ts";
import { text, time, word, words } from "./query.ts";

/** Names of types in other systems, which the filter by type also accepts. */
const FORMER_TYPES: Readonly<Record<string, ActivityType>> = { internal_tool_call: "code_execution" };

/** The filters that the activity list and its export share (spec 000 §4.6). */
export const activityFilters = {
  type: words([...ACTIVITY_TYPES, ...Object.keys(FORMER_TYPES)], "one or several types, separated by commas"),
  server: text(128, "server name"),
  tool: text(1024, "name of the tool, without its server"),
  session_id: text(256, "MCP session"),
  client: text(
    256,
    "name of the MCP client, such as claude-code; finds records of sessions that the proxy still lists",
  ),
  status: word(["success", "error", "blocked", "rejected"], "status of the record"),
  request_id: text(256, "id of the request"),
  parent_id: text(256, "request id of the code execution that made the call"),
  agent: text(256, "name of the caller, such as an agent token's"),
  auth_type: word(AUTH_TYPES, "role of the caller"),
  intent_type: word(INTENT_TYPES, "effect that the call declared"),
  sensitive_data: word(["true", "false"], "whether sensitive data was found"),
  detection_type: text(64, "type of sensitive data found, such as github_pat"),
  severity: word(SENSITIVE_SEVERITIES, "highest severity of the findings"),
  start_time: time("only records after this time (RFC 3339)"),
  end_time: time("only records before this time (RFC 3339)"),
};
const Filters = v.object(activityFilters);

/** Converts the query parameters of a list of records into a filter. Obsolete types are converted to current ones. */
export function activityFilter(query: v.InferOutput<typeof Filters>): ActivityFilter {
  const { start_time: after, end_time: before, agent: actor, severity: max_severity, ...rest } = query;
  const { server, tool, session_id, client, status, request_id, parent_id } = rest;
  const { auth_type, intent_type, detection_type, sensitive_data } = rest;
  const filter = {
    after,
    before,
    type: rest.type?.map((word) => FORMER_TYPES[word] ?? word),
    server,
    tool,
    session_id,
    client,
    status,
    request_id,
    parent_id,
    actor,
    auth_type,
    intent_type,
    sensitive: sensitive_data === undefined ? undefined : sensitive_data === "true",
    detection_type,
    max_severity,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
