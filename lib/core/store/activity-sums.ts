import type { Clock } from "../base/clock.ts";
import { createMutex, type Mutex } from "../base/mutex.ts";
import type { Logger } from "../log/logger.ts";
import type { QueryAll } from "./activity-row.ts";
import { readSumsReach, type SumsReach } from "./activity-spans.ts";
import { WORTHWHILE } from "./activity-sum-batch.ts";
import { type AddedRecords, createActivitySumGatherer } from "./activity-sum-gatherer.ts";
import { createActivitySumUpkeep } from "./activity-sum-upkeep.ts";
import { createActivitySumWriter } from "./activity-sum-writer.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { isDamageFault, isDiskFault } from "./disk-fault.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Pauses (ms): between two slices, so that other reads and writes can run, and after a disk failure. */
const REST_MS = 5;
const RETRY_MS = 10_000;
/** Delay after the start before the sums of existing records are updated, so that the start is not slowed down. */
const START_MS = 1000;

/**
 * Maintains sums of the activity records: the number of records of each kind per hour, per completed day, and per
 * completed period of sixteen days.
 *
 * `activity_summed` holds the last record that the sums include. It is written in the same transaction as the sums, so
 * a crash cannot separate the two. Counts read later records one by one, and also the records of the hours before the
 * last removal, whose sums are no longer correct.
 *
 * New records are summed in memory when they are durable. Only records that are not in memory are read from the
 * database: those of an earlier release, those that a crash or a shutdown left out of the sums, and those that were
 * added during a removal.
 */
export interface ActivitySums {
  /** Hold it while counting, so that the sums do not change meanwhile. */
  readonly mutex: Mutex;
  /** Returns which records the sums include; `undefined` if that cannot be read. Call it while `mutex` is held. */
  reach(all: QueryAll): SumsReach | undefined;
  /** Number of removals so far; call it within the write that inserts records. */
  removals(): number;
  /** Call it when added records are on the disk. */
  added(records: AddedRecords): void;
  /** Call within the write that removes records: records up to the time `at` are removed. */
  removed(at: number): void;
  /** Deletes the sums of removed records, in the background. */
  swept(): void;
  /** Brings the sums up to the newest record. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Stops the background work, after the current slice. */
  close(): Promise<void>;
}

export function createActivitySums(
  connection: DatabaseConnection,
  queue: WriteQueue,
  clock: Clock,
  log: Logger,
): ActivitySums {
  const mutex = createMutex();
  const steps = createMutex();
  const closed = new AbortController();
  let isOver = false;
  let working: Promise<void> | undefined;

  // Queued writes are not flushed first: each flush is a transaction, and the sums do not need those records yet.
  const all: QueryAll = (sql, ...inputs) => connection.read(() => connection.prepare(sql).all(...inputs));
  const writer = createActivitySumWriter(connection, queue, () => gatherer.removals());
  const gatherer = createActivitySumGatherer(all, writer.put);
  const upkeep = createActivitySumUpkeep(connection, queue, all, writer.forgetGroups);

  /**
   * Runs slices serially, so that no record is added to a day while the sums of that day are computed. @returns whether
   * there was anything to do
   */
  const slices = async (isAll: boolean, signal?: AbortSignal): Promise<boolean> => {
    const release = await steps.hold(signal);
    try {
      return await allSlices(isAll, signal);
    } finally {
      release();
    }
  };
  const allSlices = async (isAll: boolean, signal?: AbortSignal): Promise<boolean> => {
    let hasWorked = false;
    if (isAll) queue.flush();
    const lastSeq = isAll ? Number(all("select max(seq) as seq from activity")[0]?.seq ?? 0) : undefined;
    for (const step of [upkeep.dropSlice, () => gatherer.addSlice(lastSeq), upkeep.buildSlice])
      for (;;) {
        signal?.throwIfAborted();
        if (closed.signal.aborted) return hasWorked;
        const release = await mutex.hold(signal ? AbortSignal.any([signal, closed.signal]) : closed.signal);
        let more: boolean;
        try {
          more = await step();
        } finally {
          release();
        }
        if (!more) break;
        hasWorked = true;
        await new Promise((done) => setTimeout(done, REST_MS));
      }
    return hasWorked;
  };

  const behind = () => {
    const [row] = all("select max(seq) - through_seq as count from activity, activity_summed");
    return Number(row?.count ?? 0);
  };

  /** Works in the background until fewer records than `WORTHWHILE` are left. */
  const work = async (wanted: () => boolean): Promise<"over" | "later"> => {
    try {
      if (!wanted()) return "over";
      // Without a pause after a slice, a further round would keep the event loop from everything else.
      while ((await slices(false)) && gatherer.isWorthwhile() && !closed.signal.aborted);
    } catch (error) {
      if (closed.signal.aborted) return "over";
      if (isDiskFault(error) && !isDamageFault(error)) return "later";
      // The damage is permanent: until the database is recovered, counts read the later records one by one.
      isOver = true;
      gatherer.giveUp();
      log.warn("the sums of activity records are no longer maintained; counting takes longer", { error });
    }
    return "over";
  };
  const begin = (wanted = () => true) => {
    if (isOver || working !== undefined || closed.signal.aborted) return;
    working = work(wanted).then((outcome) => {
      working = undefined;
      if (outcome === "later") cancel = clock.after(RETRY_MS, () => begin());
    });
  };
  let cancel = clock.after(START_MS, () => begin(() => behind() >= WORTHWHILE));

  return {
    mutex,
    reach: readSumsReach,
    removals: () => gatherer.removals(),
    added(records) {
      gatherer.added(records);
      if (gatherer.isWorthwhile()) begin();
    },
    removed(at) {
      gatherer.removed();
      connection.prepare(REMOVED).run(at);
    },
    swept: () => begin(),
    catchUp: async (signal) => void (await slices(true, signal)),
    async close() {
      closed.abort();
      cancel();
      await working;
    },
  };
}

/** SQLite reuses the numbers of removed records, and the sums do not include the new records with these numbers. */
const REMOVED = `update activity_summed set swept_at = max(swept_at, ?),
  through_seq = min(through_seq, (select coalesce(max(seq), 0) from activity))`;
