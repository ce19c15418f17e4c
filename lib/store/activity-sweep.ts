import type { Connection } from "./connection.ts";
import type { Queue } from "./queue.ts";

/** Rows removed in one go: a few milliseconds of the event loop. */
const SLICE = 200;
/** Pages given back to the file system in one go. */
const VACUUM_PAGES = 100;
/** Free pages worth giving back; fewer are used again soon. */
const SPARE_PAGES = 1000;

/**
 * Removes records that are older than `before` (ms), and the oldest beyond `maxRecords` (0: no limit), in slices that
 * leave the event loop free; then lets the file shrink.
 *
 * @returns how many went
 */
export async function sweepActivity(
  connection: Connection,
  queue: Queue,
  before: number,
  maxRecords: number,
): Promise<number> {
  let gone = 0;
  for (;;) {
    let removed = 0;
    await queue.put("soon", () => {
      removed = removeSlice(connection, before, maxRecords);
    });
    gone += removed;
    if (removed === 0) break;
  }
  if (gone > 0) await shrink(connection, queue);
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

function removeSlice(connection: Connection, before: number, maxRecords: number): number {
  const total = connection.prepare("select count(*) as n from activity").get()!.n as number;
  const excess = maxRecords > 0 ? Math.max(0, total - maxRecords) : 0;
  const old = connection.prepare("select seq, at from activity order by at, seq limit ?").all(SLICE);
  const doomed = old.filter(({ at }, i) => (at as number) < before || i < excess).map(({ seq }) => seq);
  if (doomed.length === 0) return 0;
  const list = JSON.stringify(doomed);
  connection.prepare("delete from activity_payload where seq in (select value from json_each(?))").run(list);
  connection.prepare("delete from activity where seq in (select value from json_each(?))").run(list);
  return doomed.length;
}

function freePages(connection: Connection, queue: Queue): number {
  queue.flush();
  return connection.read(() => connection.prepare("PRAGMA freelist_count").get()!.freelist_count as number);
}
