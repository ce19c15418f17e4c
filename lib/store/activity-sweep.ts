import type { Connection } from "./connection.ts";
import type { Queue } from "./queue.ts";

/** Rows removed in one go: a few milliseconds of the event loop. */
const SLICE = 200;
/** Pages given back to the file system in one go. */
const VACUUM_PAGES = 100;
/** Free pages worth giving back; fewer are used again soon. */
const SPARE_PAGES = 1000;

/** What is kept: nothing older than `before` (ms), so many records, so many bytes of database; 0: no limit. */
export interface Limits {
  before: number;
  maxRecords: number;
  maxBytes: number;
}

/**
 * Removes the oldest records as long as any limit is exceeded, in slices that leave the event loop free; then lets the
 * file shrink.
 *
 * @param signal ends it after the slice under way
 * @returns how many went
 */
export async function sweepActivity(
  connection: Connection,
  queue: Queue,
  limits: Limits,
  signal?: AbortSignal,
): Promise<number> {
  let gone = 0;
  /** How many are too many. Counted anew only when so many went: counting a million takes as long as removing hundreds. */
  let excess: number | undefined;
  while (!signal?.aborted) {
    let removed = 0;
    await queue.put("soon", () => {
      excess ??= tooMany(connection, limits);
      removed = removeSlice(connection, limits, excess);
    });
    gone += removed;
    if (removed === 0) break;
    if (excess !== undefined && excess > 0) excess = excess > removed ? excess - removed : undefined;
  }
  if (gone > 0 && !signal?.aborted) await shrink(connection, queue);
  return gone;
}

async function shrink(connection: Connection, queue: Queue) {
  let free = freePages(connection, queue);
  while (free > SPARE_PAGES) {
    await queue.put("soon", () => {
      connection.prepare(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`).all();
    });
    const left = freePages(connection, queue);
    // A file made without auto_vacuum keeps its pages.
    if (left >= free) return;
    free = left;
  }
}

function tooMany(connection: Connection, { maxRecords }: Limits): number {
  if (maxRecords === 0) return 0;
  return (connection.prepare("select count(*) as n from activity").get()!.n as number) - maxRecords;
}

function removeSlice(connection: Connection, { before, maxBytes }: Limits, tooMany: number): number {
  const excess = maxBytes > 0 && bytesUsed(connection) > maxBytes ? SLICE : tooMany;
  const old = connection.prepare("select seq, at from activity order by at, seq limit ?").all(SLICE);
  const doomed = old.filter(({ at }, i) => (at as number) < before || i < excess).map(({ seq }) => seq);
  if (doomed.length === 0) return 0;
  const list = JSON.stringify(doomed);
  connection.prepare("delete from activity_payload where seq in (select value from json_each(?))").run(list);
  connection.prepare("delete from activity where seq in (select value from json_each(?))").run(list);
  return doomed.length;
}

function bytesUsed(connection: Connection): number {
  const fact = (name: "page_count" | "freelist_count" | "page_size") =>
    connection.prepare(`PRAGMA ${name}`).get()![name] as number;
  return (fact("page_count") - fact("freelist_count")) * fact("page_size");
}

function freePages(connection: Connection, queue: Queue): number {
  queue.flush();
  return connection.read(() => connection.prepare("PRAGMA freelist_count").get()!.freelist_count as number);
}
