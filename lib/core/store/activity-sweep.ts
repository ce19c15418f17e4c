import { countActivityRecords } from "./activity-read.ts";
import type { QueryAll } from "./activity-row.ts";
import type { ActivitySums } from "./activity-sums.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Rows removed in one go: a few milliseconds of the event loop. */
const SLICE = 200;
/** Pages given back to the file system in one go. */
const VACUUM_PAGES = 100;
/** Free pages worth giving back; fewer are used again soon. */
const SPARE_PAGES = 1000;

/** What is kept: nothing older than `before` (ms), so many records, so many bytes of database; 0: no limit. */
interface SweepLimits {
  before: number;
  maxRecords: number;
  maxBytes: number;
}

/** What holds the records, and what follows them. */
interface SweptStore {
  readonly connection: DatabaseConnection;
  readonly queue: WriteQueue;
  readonly sums: Pick<ActivitySums, "removed" | "swept">;
  /** Reads, with what is queued. */
  readonly all: QueryAll;
}

/**
 * Removes the oldest records as long as any limit is exceeded, in slices that leave the event loop free; then lets the
 * file shrink.
 *
 * @param signal ends it after the slice under way
 * @returns how many went
 */
export async function sweepActivity(store: SweptStore, limits: SweepLimits, signal?: AbortSignal): Promise<number> {
  const { connection, queue, sums } = store;
  let gone = 0;
  /** Number of records over the limit; counted again only after that many were removed. */
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
    // A file made without auto_vacuum keeps its pages.
    if (left >= free) return;
    free = left;
  }
}

/** In slices, as long as it takes. */
async function countExcess(all: QueryAll, { maxRecords }: SweepLimits): Promise<number> {
  return maxRecords === 0 ? 0 : (await countActivityRecords(all)) - maxRecords;
}

/** Call within a write. */
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
