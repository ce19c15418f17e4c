import type { App } from "../app.ts";
import { rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { SessionRecord } from "../shape/session.ts";
import type { SessionEntry } from "../shape/session-entry.ts";
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
  return { sessions: sessions.map((stored) => entry(currentRecord(app, stored))), total };
}

/** @throws Fault no_such_record */
export function find(app: App, id: string): SessionEntry {
  const session = app.store.sessions.get(id);
  if (!session) throw new Fault("no_such_record", { what: "session", id });
  return entry(currentRecord(app, session));
}

function entry({ started_at, last_active_at, closed_at, tool_calls, ...session }: SessionRecord): SessionEntry {
  return {
    ...session,
    start_time: rfc3339(started_at),
    last_activity: rfc3339(last_active_at),
    ...(closed_at !== undefined && { end_time: rfc3339(closed_at) }),
    tool_call_count: tool_calls,
  };
}
