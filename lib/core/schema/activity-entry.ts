import * as v from "valibot";
import { ACTIVITY_TYPES, AUTH_TYPES, INTENT_TYPES } from "./activity.ts";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));

/** One record as it is listed (spec 000 §2.8). */
export const ActivityEntry = v.object({
  id: v.string(),
  type: v.picklist(ACTIVITY_TYPES),
  source: v.pipe(v.picklist(["mcp", "api", "cli", "internal"]), about("where it was asked for")),
  server_name: v.pipe(v.string(), about("server it is about; empty when it is about none")),
  tool_name: v.pipe(v.string(), about("tool it is about; empty when it is about none")),
  status: v.picklist(["success", "error", "blocked", "rejected"]),
  error_message: text("what went wrong"),
  duration_ms: v.pipe(v.number(), about("0 for what takes no time worth measuring")),
  request_bytes: v.optional(v.pipe(v.number(), about("size of the arguments"))),
  response_bytes: v.optional(v.pipe(v.number(), about("size of the answer, kept whole or not"))),
  timestamp: v.pipe(v.string(), about("RFC 3339")),
  session_id: text("MCP session"),
  request_id: text("request it was part of"),
  parent_id: text("request id of the code execution it was part of"),
  actor: text("who did it"),
  auth_type: v.optional(v.pipe(v.picklist(AUTH_TYPES), about("what its caller came in as"))),
  intent_type: v.optional(v.pipe(v.picklist(INTENT_TYPES), about("what a call declared to do"))),
  user_id: text("the user behind it, in the multi-user edition"),
  response_truncated: v.optional(v.boolean()),
  has_sensitive_data: v.optional(v.pipe(v.literal(true), about("absent when nothing was found"))),
  detection_types: v.optional(v.pipe(v.array(v.string()), about("kinds of sensitive data that were found"))),
  max_severity: text("of the worst of them: low, medium, high or critical"),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

/** One record in full. */
export const ActivityDetail = v.object({
  ...ActivityEntry.entries,
  arguments: v.optional(v.unknown()),
  response: text("JSON text, cut at activity_max_response_size"),
});
