import { type App, part } from "../../app.ts";
import type { SessionRecord } from "../../schema/session.ts";

/** Interval between two writes of a session's counters; a crash loses at most the calls of this interval. (ms) */
const WRITE_EVERY_MS = 5000;

/** The record of a live session, and when it was last written (zero: never, so it need not be closed). */
export interface TrackedSession {
  readonly record: SessionRecord;
  writtenAt: number;
  /** Cancels the pending write; set while the latest counts are not stored. */
  cancelWrite?: (() => void) | undefined;
  /** Set while an earlier record of the same client is being read; the session is written afterwards. */
  restoring?: Promise<void> | undefined;
}

/**
 * Counts one tool call. The first call stores the session: a client that only initialises leaves no record (spec 000
 * §3).
 */
export function countCall(app: Pick<App, "clock" | "store" | "log" | "part">, session: TrackedSession): void {
  const now = app.clock.now();
  session.record.tool_calls++;
  session.record.last_active_at = now;
  const wait = session.writtenAt === 0 ? 0 : session.writtenAt + WRITE_EVERY_MS - now;
  if (wait <= 0) write(app, session, now);
  // The timer stores the last calls if no further call follows.
  else if (!session.cancelWrite) {
    session.cancelWrite = app.clock.after(wait, () => write(app, session, app.clock.now()));
    app.part(unwritten).set(session.record.id, session.record);
  }
}

/** Returns the current record, including calls that are not stored yet. */
export function currentRecord(app: Pick<App, "part">, stored: SessionRecord): SessionRecord {
  return app.part(unwritten).get(stored.id) ?? stored;
}

/** Records of live sessions with calls that are not stored yet, by id. */
const unwritten = part("unwrittenSessions", () => new Map<string, SessionRecord>());

/** Marks the record of an ended session as closed, if it was ever stored. */
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
  const put = () => app.store.sessions.put({ ...session.record });
  app.log.catch("storing an MCP session", session.restoring ? session.restoring.then(put, put) : put());
}

/** Adds the stored record of the same client to a new one as soon as that is read, because no call waits for it. */
export function restoreRecord(app: Pick<App, "store" | "log">, session: TrackedSession): void {
  const restore = async () => {
    try {
      const stored = await app.store.sessions.get(session.record.id);
      if (stored) addStored(session.record, stored);
    } finally {
      session.restoring = undefined;
    }
  };
  session.restoring = restore();
  app.log.catch("reading the record of an MCP client", session.restoring);
}

function addStored(record: SessionRecord, stored: SessionRecord): void {
  const { closed_at: _, status: __, last_active_at: ___, tool_calls, ...rest } = stored;
  Object.assign(record, rest);
  record.tool_calls += tool_calls;
}
