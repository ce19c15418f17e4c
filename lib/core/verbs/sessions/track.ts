import { type App, part } from "../../app.ts";
import type { SessionRecord } from "../../schema/session.ts";

/** Between two writes of one session's counters; a crash loses at most this much of them (ms). */
const WRITE_EVERY_MS = 5000;

/** One live session's record, and when it was last written. Zero: never, so nothing to close either. */
export interface TrackedSession {
  readonly record: SessionRecord;
  writtenAt: number;
  /** Calls off the write that is to come; there while what was counted is not stored yet. */
  cancelWrite?: (() => void) | undefined;
}

/**
 * Counts one tool call. The first one stores the session: a client that only shook hands leaves no record
 * (spec 000 §3).
 */
export function countCall(app: Pick<App, "clock" | "store" | "log" | "part">, session: TrackedSession): void {
  const now = app.clock.now();
  session.record.tool_calls++;
  session.record.last_active_at = now;
  const wait = session.writtenAt === 0 ? 0 : session.writtenAt + WRITE_EVERY_MS - now;
  if (wait <= 0) write(app, session, now);
  // The last calls before a silence are stored, too.
  else if (!session.cancelWrite) {
    session.cancelWrite = app.clock.after(wait, () => write(app, session, app.clock.now()));
    app.part(unwritten).set(session.record.id, session.record);
  }
}

/** The record as it stands at this moment, with what was counted since it was last written. */
export function currentRecord(app: Pick<App, "part">, stored: SessionRecord): SessionRecord {
  return app.part(unwritten).get(stored.id) ?? stored;
}

/** Records of live sessions that are ahead of the stored ones, by id. */
const unwritten = part("unwrittenSessions", () => new Map<string, SessionRecord>());

/** The session is over: its record says so, if it has one. */
export function closeSession(app: Pick<App, "clock" | "store" | "log" | "part">, session: TrackedSession): void {
  if (session.writtenAt === 0) return;
  const now = app.clock.now();
  session.record.status = "closed";
  session.record.closed_at = now;
  write(app, session, now);
}

function write(app: Pick<App, "store" | "log" | "part">, session: TrackedSession, now: number): void {
  session.cancelWrite?.();
  session.cancelWrite = undefined;
  app.part(unwritten).delete(session.record.id);
  session.writtenAt = now;
  app.log.catch("storing an MCP session", app.store.sessions.put({ ...session.record }));
}
