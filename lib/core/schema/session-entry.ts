import * as v from "valibot";

const about = v.description;

/** One MCP client session in a list (spec 000 §4.6). */
export const SessionEntry = v.object({
  id: v.pipe(v.string(), about("session id; activity records have it as `session_id`")),
  status: v.picklist(["active", "closed"]),
  client_name: v.string(),
  client_version: v.string(),
  mode: v.pipe(v.string(), about("routing mode of the endpoint on which it was opened")),
  actor: v.string(),
  client_ip: v.optional(v.string()),
  start_time: v.string(),
  last_activity: v.string(),
  end_time: v.optional(v.string()),
  tool_call_count: v.number(),
  idle: v.optional(v.pipe(v.literal(true), about("active, but without a call for five minutes"))),
  stateless: v.optional(
    v.pipe(
      v.literal(true),
      about(
        "the client uses protocol version 2026-07-28, which has no sessions; the proxy groups its calls by client name and version, caller and routing mode",
      ),
    ),
  ),
});
export type SessionEntry = v.InferOutput<typeof SessionEntry>;
