import * as v from "valibot";
import { list as activities } from "#lib/activity/list.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped, offset, text, word } from "#lib/http/query.ts";
import { list } from "#lib/sessions/list.ts";
import { ActivityEntry } from "#lib/shape/activity-entry.ts";
import { SessionEntry } from "#lib/shape/session-entry.ts";

/** MCP client sessions, newest first; with `parent_id` the sub-calls of one code execution instead (spec 000 §4.6). */
export default endpoint("GET /api/v1/sessions", {
  summary: "List MCP client sessions",
  access: "admin",
  query: v.object({
    limit: clamped(1, 100, 10),
    offset: offset(),
    parent_id: text(256, "request id of a code execution"),
    status: word(["active", "closed"], "active or closed"),
  }),
  data: v.object({
    sessions: v.array(SessionEntry),
    calls: v.optional(v.pipe(v.array(ActivityEntry), v.description("with parent_id: the sub-calls, newest first"))),
    total: v.number(),
    limit: v.number(),
    offset: v.number(),
  }),
  run({ app, caller, query: { limit, offset, parent_id, status } }) {
    const page = { limit, offset };
    if (parent_id === undefined) return { ...list(app, { ...(status && { status }) }, page), ...page };
    const { activities: calls, total } = activities(app, { parent_id }, page, caller);
    const sessions: SessionEntry[] = [];
    return { sessions, calls, total, ...page };
  },
});
