import * as v from "valibot";

const about = v.description;

/** One MCP client session as it is listed (spec 000 §4.6). */
export const SessionEntry = v.object({
  id: v.pipe(v.string(), about("also the session_id of its records in the activity")),
  status: v.picklist(["active", "closed"]),
  client_name: v.string(),
  client_version: v.string(),
  mode: v.pipe(v.string(), about("what the endpoint serves it was opened on")),
  actor: v.string(),
  client_ip: v.optional(v.string()),
  start_time: v.string(),
  last_activity: v.string(),
  end_time: v.optional(v.string()),
  tool_call_count: v.number(),
  idle: v.optional(v.pipe(v.literal(true), about("active, but it has called nothing for five minutes"))),
  stateless: v.optional(
    v.pipe(
      v.literal(true),
      about(
        "the client speaks revision 2026-07-28, which has no sessions: its calls are put together by its name and version, its caller and the mode",
      ),
    ),
  ),
});
export type SessionEntry = v.InferOutput<typeof SessionEntry>;
