import type { Clock } from "../base/clock.ts";
import { createMutex, type Mutex } from "../base/mutex.ts";
import type { Logger } from "../log/logger.ts";
import { WORTHWHILE } from "./activity-batch.ts";
import { type AddedRecords, createActivityGatherer } from "./activity-gatherer.ts";
import type { QueryAll } from "./activity-row.ts";
import { readSumsReach, type SumsReach } from "./activity-spans.ts";
import { createActivitySumUpkeep } from "./activity-sum-upkeep.ts";
import { createActivitySumWriter } from "./activity-sum-writer.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { isDamageFault, isDiskFault } from "./disk-fault.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Between two slices, for what others want to write and read (ms); and after a failure of the disk. */
const REST_MS = 5;
const RETRY_MS = 10_000;
/** Until an existing database is caught up with, so that the start is not held up. */
const START_MS = 1000;

/**
 * Keeps the sums of the activity records: how many there were of each kind in each hour; in each day, once it is over,
 * from its hours; and in each sixteen days from their days.
 *
 * The sums follow the records: `activity_summed` says up to which record they reach, in the transaction that adds to
 * them, so that a crash leaves both as they were. Records beyond are counted singly; so are those of an hour that began
 * before the last removal, whose sum is no longer right.
 *
 * New records are added up in memory as they become durable. Records are read from the database only where memory does
 * not have them: those of an earlier release, those that a crash or a shutdown left out of the sums, and those that were
 * added while others were removed.
 */
export interface ActivitySums {
  /** Held by whoever counts, so that the sums do not move meanwhile. */
  readonly mutex: Mutex;
  /** How far they reach; `undefined` where that cannot be read. To be asked while `mutex` is held. */
  reach(all: QueryAll): SumsReach | undefined;
  /** How many removals there were; to be asked within the write that inserts records. */
  removals(): number;
  /** Call after records were added and are on the disk. */
  added(records: AddedRecords): void;
  /** Records up to `at` are being removed. To be called within the write that removes them. */
  removed(at: number): void;
  /** Drops the sums of removed records, in the background. */
  swept(): void;
  /** Adds up everything that was recorded until now. */
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

  // Writes that are still queued are not flushed: each flush is a transaction, and nothing here needs them.
  const all: QueryAll = (sql, ...inputs) => connection.read(() => connection.prepare(sql).all(...inputs));
  const writer = createActivitySumWriter(connection, queue, () => gatherer.removals());
  const gatherer = createActivityGatherer(all, writer.put);
  const upkeep = createActivitySumUpkeep(connection, queue, all, writer.forgetGroups);

  /** One after the other, so that no record is added to a day while it is built. */
  const slices = async (isAll: boolean, signal?: AbortSignal) => {
    const release = await steps.hold(signal);
    try {
      await allSlices(isAll, signal);
    } finally {
      release();
    }
  };
  const allSlices = async (isAll: boolean, signal?: AbortSignal) => {
    if (isAll) queue.flush();
    const lastSeq = isAll ? Number(all("select max(seq) as seq from activity")[0]?.seq ?? 0) : undefined;
    for (const step of [upkeep.dropSlice, () => gatherer.addSlice(lastSeq), upkeep.buildSlice])
      for (;;) {
        signal?.throwIfAborted();
        if (closed.signal.aborted) return;
        const release = await mutex.hold(signal ? AbortSignal.any([signal, closed.signal]) : closed.signal);
        let more: boolean;
        try {
          more = await step();
        } finally {
          release();
        }
        if (!more) break;
        await new Promise((done) => setTimeout(done, REST_MS));
      }
  };

  const behind = () => {
    const [row] = all("select max(seq) - through_seq as count from activity, activity_summed");
    return Number(row?.count ?? 0);
  };

  /** In the background, until less is left than is worthwhile. */
  const work = async (wanted: () => boolean): Promise<"over" | "later"> => {
    try {
      if (!wanted()) return "over";
      do await slices(false);
      while (gatherer.isWorthwhile() && !closed.signal.aborted);
    } catch (error) {
      if (closed.signal.aborted) return "over";
      if (isDiskFault(error) && !isDamageFault(error)) return "later";
      // What is damaged stays so: what lies beyond is counted singly until the database is recovered.
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
    catchUp: (signal) => slices(true, signal),
    async close() {
      closed.abort();
      cancel();
      await working;
    },
  };
}

/** Numbers of removed records are given anew, and those that get them are not in the sums. */
const REMOVED = `update activity_summed set swept_at = max(swept_at, ?),
  through_seq = min(through_seq, (select coalesce(max(seq), 0) from activity))`;
