import * as v from "valibot";
import { readCursor, writeCursor } from "#lib/core/api/cursor.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { cursorQueryOf, cursorText, refuseOffsetWithCursor, sortParameter } from "#lib/core/api/listing.ts";
import { clamped, offset, text, word } from "#lib/core/api/query.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { ActivityEntryShape } from "#lib/core/schema/activity-entry.ts";
import { pageMembers } from "#lib/core/schema/list-page.ts";
import { SessionEntry } from "#lib/core/schema/session-entry.ts";
import { listActivity as activities } from "#lib/core/verbs/activity/list.ts";
import { listSessions, SESSION_SORTS, type SessionSortName } from "#lib/core/verbs/sessions/list.ts";

const NAME = "sessions";
/** The position after a page: the sort value and the ID. */
const PLACE = v.tuple([v.number(), v.string()]);

/** MCP client sessions, newest first; with `parent_id`, the calls of one code execution instead (spec 000 §4.6). */
export default endpoint("GET /api/v1/sessions", {
  summary: "List MCP client sessions",
  access: "admin",
  query: v.object({
    limit: clamped(1, 100, 10),
    offset: offset(),
    cursor: cursorText,
    sort: sortParameter(Object.keys(SESSION_SORTS), "-last_activity"),
    fields: fieldsParameter(SessionEntry),
    parent_id: text(256, "request id of a code execution"),
    status: word(["active", "closed"], "active or closed"),
  }),
  data: v.object({
    sessions: v.array(SessionEntry),
    calls: v.optional(
      v.pipe(v.array(ActivityEntryShape), v.description("with `parent_id`: the calls that it made, newest first")),
    ),
    ...pageMembers,
    limit: v.number(),
    offset: v.number(),
  }),
  answers: { sparse: "sessions" },
  async run({ app, caller, query, signal }) {
    const { limit, offset, cursor, sort, fields, parent_id, status } = query;
    refuseOffsetWithCursor(query);
    const cursorQuery = cursorQueryOf(query);
    const place = cursor === undefined ? undefined : v.parse(PLACE, readCursor(NAME, cursorQuery, cursor));
    const next = (last: readonly [number, string] | undefined) =>
      last && { next_cursor: writeCursor(NAME, cursorQuery, last) };
    if (parent_id !== undefined) {
      const after = place && { at: place[0], id: place[1] };
      const options = { limit, offset, signal, ...(after && { after }) };
      const { activities: calls, total, last } = await activities(app, { parent_id }, options, caller);
      const sessions: SessionEntry[] = [];
      return { sessions, calls, total, limit, offset, ...next(last && [last.at, last.id]) };
    }
    if (sort && sort.length > 1)
      throw new Fault("invalid_request", { reason: "sort: sessions are sorted by one thing" });
    const [{ by, falling } = { by: "last_activity", falling: true }] = sort ?? [];
    const order = { by: by as SessionSortName, falling, ...(place && { after: place }) };
    const { sessions, total, last } = await listSessions(app, { ...(status && { status }) }, { limit, offset, order });
    const entries = sessions.map((session) => pickFields(session, fields));
    return { sessions: entries, total, limit, offset, ...next(last) };
  },
});
