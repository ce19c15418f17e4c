import { countActivityRecords } from "./activity-read.ts";
import type { QueryAll } from "./activity-row.ts";
import type { ActivitySums } from "./activity-sums.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Number of rows removed in one step, which takes a few milliseconds. */
const SLICE = 200;
/** Number of pages returned to the file system in one step. */
const VACUUM_PAGES = 100;
/** Number of free pages that stay in the file, because they are soon used again. */
const SPARE_PAGES = 1000;

/**
 * What may be kept: no record older than `before` (ms), a number of records, a size of the database in bytes; 0: no
 * limit.
 */
interface SweepLimits {
  before: number;
  maxRecords: number;
  maxBytes: number;
}

/** The parts of the store that a sweep uses. */
interface SweptStore {
  readonly connection: DatabaseConnection;
  readonly queue: WriteQueue;
  readonly sums: Pick<ActivitySums, "removed" | "swept">;
  /** Runs a query after the queued writes. */
  readonly all: QueryAll;
}

/**
 * Removes the oldest records until no limit is exceeded, in slices between which other work can run, and then lets the
 * file shrink.
 *
 * @param signal stops the sweep after the current slice
 * @returns the number of removed records
 */
export async function sweepActivity(store: SweptStore, limits: SweepLimits, signal?: AbortSignal): Promise<number> {
  const { connection, queue, sums } = store;
  let gone = 0;
  /** Number of records over the limit; counted again after that many were removed. */
  let excess: number | undefined;
  while (!signal?.aborted) {
    const tooMany = excess ?? (await countExcess(store.all, limits));
    let removed = 0;
    await queue.put("soon", () => {
      removed = removeSlice(store, limits, tooMany);
    });
    gone += removed;
    if (removed === 0) break;
    excess = tooMany > 0 && tooMany <= removed ? undefined : tooMany - removed;
  }
  if (gone > 0) sums.swept();
  if (gone > 0 && !signal?.aborted) await shrink(connection, queue);
  return gone;
}

async function shrink(connection: DatabaseConnection, queue: WriteQueue) {
  let free = freePages(connection, queue);
  while (free > SPARE_PAGES) {
    await queue.put("soon", () => {
      connection.prepare(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`).all();
    });
    const left = freePages(connection, queue);
    // A file that was made without auto_vacuum cannot shrink.
    if (left >= free) return;
    free = left;
  }
}

/** Counts in slices, which may take long. */
async function countExcess(all: QueryAll, { maxRecords }: SweepLimits): Promise<number> {
  return maxRecords === 0 ? 0 : (await countActivityRecords(all)) - maxRecords;
}

/** Removes one slice of records; call it within a write. */
function removeSlice({ connection, sums }: SweptStore, { before, maxBytes }: SweepLimits, tooMany: number): number {
  const excess = maxBytes > 0 && bytesUsed(connection) > maxBytes ? SLICE : tooMany;
  const old = connection.prepare("select seq, at from activity order by at, seq limit ?").all(SLICE);
  const doomed = old.filter(({ at }, i) => (at as number) < before || i < excess);
  const last = doomed.at(-1);
  if (!last) return 0;
  const list = JSON.stringify(doomed.map(({ seq }) => seq));
  connection.prepare("delete from activity_payload where seq in (select value from json_each(?))").run(list);
  connection.prepare("delete from activity where seq in (select value from json_each(?))").run(list);
  sums.removed(last.at as number);
  return doomed.length;
}

function bytesUsed(connection: DatabaseConnection): number {
  const fact = (name: "page_count" | "freelist_count" | "page_size") =>
    connection.prepare(`PRAGMA ${name}`).get()![name] as number;
  return (fact("page_count") - fact("freelist_count")) * fact("page_size");
}

function freePages(connection: DatabaseConnection, queue: WriteQueue): number {
  queue.flush();
  return connection.read(() => connection.prepare("PRAGMA freelist_count").get()!.freelist_count as number);
}
