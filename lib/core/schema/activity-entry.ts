import * as v from "valibot";
import { ACTIVITY_TYPES, AUTH_TYPES, INTENT_TYPES } from "./activity.ts";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** One activity record in a list (spec 000 §2.8). */
export const ActivityEntryShape = v.object({
  id: v.string(),
  type: v.picklist(ACTIVITY_TYPES),
  source: v.pipe(v.picklist(["mcp", "api", "cli", "internal"]), about("interface of the request")),
  server_name: v.pipe(v.string(), about("server; empty if the record concerns none")),
  tool_name: v.pipe(v.string(), about("tool; empty if the record concerns none")),
  status: v.picklist(["success", "error", "blocked", "rejected"]),
  error_message: text("error text"),
  duration_ms: v.pipe(v.number(), about("duration (ms); 0 for records of instantaneous actions")),
  request_bytes: v.optional(v.pipe(v.number(), about("size of the arguments (bytes)"))),
  response_bytes: v.optional(
    v.pipe(v.number(), about("size of the complete result (bytes), even if the record stores only a part")),
  ),
  timestamp: v.pipe(v.string(), about("RFC 3339")),
  session_id: text("MCP session"),
  request_id: text("id of the request"),
  parent_id: text("request id of the code execution that made the call"),
  actor: text("caller"),
  auth_type: v.optional(v.pipe(v.picklist(AUTH_TYPES), about("role of the caller"))),
  intent_type: v.optional(v.pipe(v.picklist(INTENT_TYPES), about("effect that the call declared"))),
  user_id: text("user, in the multi-user edition"),
  response_truncated: v.optional(v.boolean()),
  has_sensitive_data: v.optional(
    v.pipe(v.literal(true), about("findings of sensitive data; absent if there are none")),
  ),
  detection_types: v.optional(v.pipe(v.array(v.string()), about("types of sensitive data found"))),
  max_severity: text("highest severity: low, medium, high or critical"),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

/** One activity record with all its members. */
export const ActivityDetailShape = v.object({
  ...ActivityEntryShape.entries,
  arguments: v.optional(v.unknown()),
  response: text("JSON text, truncated to `activity_max_response_size`"),
});
