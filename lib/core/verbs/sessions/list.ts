import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { SessionRecord } from "../../schema/session.ts";
import type { SessionEntry } from "../../schema/session-entry.ts";
import { isStateless } from "./stateless.ts";
import { currentRecord } from "./track.ts";

/** The sort keys of sessions, and the members of the record that they mean. */
export const SESSION_SORTS = {
  last_activity: "last_active_at",
  start_time: "started_at",
  tool_call_count: "tool_calls",
} as const;
export type SessionSortName = keyof typeof SESSION_SORTS;

interface SessionPage {
  sessions: SessionEntry[];
  total: number;
  /** The cursor of the next page; absent on the last page. */
  last?: readonly [value: number, id: string];
}

interface SessionPageOptions {
  limit: number;
  offset: number;
  /** Absent: by last activity, latest first. */
  order?: { by: SessionSortName; falling: boolean; after?: readonly [value: number, id: string] };
}

const NEWEST: NonNullable<SessionPageOptions["order"]> = { by: "last_activity", falling: true };

/** Returns a page of sessions; `limit` counts sessions that match the filter (spec 000 §4.6). */
export async function listSessions(
  app: App,
  filter: { status?: "active" | "closed" },
  { limit, offset, order: { by, falling, after } = NEWEST }: SessionPageOptions,
): Promise<SessionPage> {
  const column = SESSION_SORTS[by];
  const order = { by: column, falling, ...(after && { after: { value: after[0], id: after[1] } }) };
  // One extra record shows whether there is another page.
  const { sessions, total } = await app.store.sessions.page(filter, limit + 1, offset, order);
  const last = sessions.length > limit ? sessions[limit - 1] : undefined;
  const now = app.clock.now();
  return {
    sessions: sessions.slice(0, limit).map((stored) => entry(currentRecord(app, stored), now)),
    total,
    ...(last && { last: [last[column], last.id] }),
  };
}

/** Returns one session. @throws Fault no_such_record */
export async function findSession(app: App, id: string): Promise<SessionEntry> {
  const session = await app.store.sessions.get(id);
  if (!session) throw new Fault("no_such_record", { what: "session", id });
  return entry(currentRecord(app, session), app.clock.now());
}

/** A client without a call for this time counts as idle. (ms) */
const IDLE_MS = 300_000;

function entry(
  { started_at, last_active_at, closed_at, tool_calls, ...session }: SessionRecord,
  now: number,
): SessionEntry {
  return {
    ...session,
    start_time: rfc3339(started_at),
    last_activity: rfc3339(last_active_at),
    ...(closed_at !== undefined && { end_time: rfc3339(closed_at) }),
    tool_call_count: tool_calls,
    ...(session.status === "active" && now - last_active_at >= IDLE_MS && { idle: true }),
    ...(isStateless(session.id) && { stateless: true }),
  };
}
