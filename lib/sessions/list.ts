import type { App } from "../app.ts";
import { rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { SessionRecord } from "../shape/session.ts";
import type { SessionEntry } from "../shape/session-entry.ts";
import { isStateless } from "./stateless.ts";
import { currentRecord } from "./track.ts";

export interface SessionPage {
  sessions: SessionEntry[];
  total: number;
}

/** A page of sessions, newest first; the status counts before the limit does (spec 000 §4.6). */
export function list(
  app: App,
  filter: { status?: "active" | "closed" },
  { limit, offset }: { limit: number; offset: number },
): SessionPage {
  const { sessions, total } = app.store.sessions.page(filter, limit, offset);
  const now = app.clock.now();
  return { sessions: sessions.map((stored) => entry(currentRecord(app, stored), now)), total };
}

/** @throws Fault no_such_record */
export function find(app: App, id: string): SessionEntry {
  const session = app.store.sessions.get(id);
  if (!session) throw new Fault("no_such_record", { what: "session", id });
  return entry(currentRecord(app, session), app.clock.now());
}

/** A client that has called nothing for this long counts as idle. (ms) */
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
