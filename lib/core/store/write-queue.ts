import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { isDiskFault } from "./disk-fault.ts";
import { createDiskOutage } from "./disk-outage.ts";

/**
 * Queues all writes of the store. The waiting writes run in order, in one transaction with one sync of the disk; then
 * their promises resolve.
 */
export interface WriteQueue {
  /**
   * Queues a write. The write may run twice, if another one in its transaction fails.
   *
   * @param when `now`: in the next turn of the event loop. `soon`: up to `GATHER_MS` later under load
   * @param rows approximate number of rows that it writes; 1 unless given
   * @returns resolves when durable; rejects with Fault disk_failed, or with what `write` threw
   */
  put(when: "now" | "soon", write: () => void, rows?: number): Promise<void>;
  /** Runs the queued writes, so that a following read sees them. Their promises resolve only when they are durable. */
  flush(): void;
  /** Calls `fn` whenever writes failed, so that copies in memory are read again from the disk. */
  onRefused(fn: () => void): void;
  /** The number of writes that are not durable yet. */
  readonly waiting: number;
  /** Calls `fn` after each transaction. @returns a function that ends it */
  onCommit(fn: (commit: Commit) => void): () => void;
  /** Why the last write failed, until one succeeds. */
  problem(): string | undefined;
  /** Closes the queue; resolves when every queued write is on the disk or has failed. */
  close(): Promise<void>;
}

/** The outcome of one transaction. */
interface Commit {
  /** From its start until it is on the disk (ms). */
  readonly durationMs: number;
  readonly writes: number;
  /** The number of writes that failed and are lost. */
  readonly lost: number;
}

interface Job {
  readonly when: "now" | "soon";
  readonly write: () => void;
  readonly rows: number;
  readonly done: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Minimum time between two transactions without urgent writes. In a larger transaction each record takes less time. */
const GATHER_MS = 50;
/** Maximum time that one slice blocks the event loop, not counting the commit. */
const SLICE_MS = 4;
/**
 * Number of pages in the journal at which the queue copies it into the database: once nothing has been written for
 * `QUIET_MS`, or under load. A copy of 1,000 pages blocks the event loop for about 5 ms.
 */
const JOURNAL_PAGES = { quiet: 250, most: 2000 };
const QUIET_MS = 100;
/** Number of rows written between two readings of the clock. */
const SLICE_ROWS = 32;

/**
 * Makes the queue.
 *
 * @param probe a small write to the disk, tried after a failure until it succeeds, so that `problem()` becomes
 *   undefined
 */
export function createWriteQueue(
  connection: DatabaseConnection,
  clock: Clock,
  log: Logger,
  probe: () => void,
): WriteQueue {
  let queued: Job[] = [];
  /** Writes whose transaction has ended but is not yet known to be on the disk. */
  let written: Job[] = [];
  let running: Promise<void> | undefined;
  let scheduled: { readonly atOnce: boolean; cancel(): void } | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;
  let quietTimer: NodeJS.Timeout | undefined;
  let closing = false;
  /** True if the last slice ended because of its time; the rest of the queue must not wait to be gathered. */
  let isCut = false;
  const listeners: (() => void)[] = [];
  const commitListeners = new Set<(commit: Commit) => void>();
  const trouble = createDiskOutage(clock, log, () => queue.put("now", probe).catch(() => {}));

  const report = (writes: number, lost: number) => {
    for (const fn of commitListeners) fn({ durationMs: performance.now() - lastStart, writes, lost });
  };
  const refuse = (jobs: readonly Job[], reason: unknown) => {
    report(0, jobs.length);
    for (const job of jobs) job.refuse(reason);
    for (const listener of listeners) listener();
  };
  const takeQueued = () => {
    const jobs = queued;
    queued = [];
    return jobs;
  };
  const takeWritten = () => {
    const jobs = written;
    written = [];
    return jobs;
  };

  /** Runs the queued writes in one transaction, for at most `sliceMs`. */
  const run = (sliceMs: number) => {
    while (queued.length > 0) {
      const known = queued.some(hurried) ? undefined : trouble.current();
      if (known) {
        trouble.count(queued.length);
        return refuse(takeQueued(), known);
      }
      let count = 0;
      let current: Job | undefined;
      try {
        connection.write(() => {
          const end = performance.now() + sliceMs;
          let rows = 0;
          isCut = false;
          for (current of queued) {
            current.write();
            count++;
            rows += current.rows;
            if (rows < SLICE_ROWS) continue;
            isCut = performance.now() > end;
            if (isCut) break;
            rows = 0;
          }
          current = undefined;
        });
        written = written.concat(queued.slice(0, count));
        queued = queued.slice(count);
        return;
      } catch (error) {
        const wrong = current;
        if (wrong && !isDiskFault(error)) {
          // The fault is in this write: it is removed, and the others run again in a new transaction.
          queued = queued.filter((job) => job !== wrong);
          refuse([wrong], error);
        } else {
          const jobs = takeQueued();
          refuse(jobs, trouble.report(error, jobs.length));
        }
      }
    }
  };

  const pump = async () => {
    do {
      lastStart = performance.now();
      run(SLICE_MS);
      const jobs = takeWritten();
      if (jobs.length === 0) continue;
      try {
        await connection.sync();
        trouble.end();
        report(jobs.length, 0);
        for (const job of jobs) job.done();
      } catch (error) {
        const lost = [...jobs, ...takeWritten()];
        refuse(lost, trouble.report(error, lost.length));
      }
      // Inside the loop, because under load the loop can write thousands of pages before it ends.
      await checkpoint(JOURNAL_PAGES.most);
    } while (written.length > 0 || queued.some(hurried) || (closing && queued.length > 0));
  };

  /** Copies the journal into the database if it has so many pages. Never rejects. */
  const checkpoint = async (pages: number) => {
    if (closing || connection.journalPages() < pages) return;
    try {
      await connection.checkpoint();
    } catch (error) {
      trouble.report(error, 0);
    }
  };

  const begin = (work: () => Promise<void>) => {
    running = work().finally(() => {
      running = undefined;
      // Code that ran when the promises resolved may have queued writes, and a read may have run them already.
      if (queued.length > 0 || written.length > 0) wake(written.length > 0 || isCut);
      else checkpointWhenQuiet();
    });
  };

  const checkpointWhenQuiet = () => {
    if (quietTimer || closing || connection.journalPages() < JOURNAL_PAGES.quiet) return;
    const look = () => {
      quietTimer = undefined;
      if (running || scheduled || performance.now() - lastStart < QUIET_MS) checkpointWhenQuiet();
      else begin(() => checkpoint(JOURNAL_PAGES.quiet));
    };
    quietTimer = setTimeout(look, QUIET_MS).unref();
  };

  const wake = (atOnce: boolean) => {
    if (running || closing || scheduled?.atOnce) return;
    const wait = atOnce ? 0 : lastStart + GATHER_MS - performance.now();
    if (wait > 0 && scheduled) return;
    scheduled?.cancel();
    const start = () => {
      scheduled = undefined;
      begin(pump);
    };
    scheduled = wait > 0 ? timer(start, wait) : immediate(start);
  };

  const queue: WriteQueue = {
    put(when, write, rows = 1) {
      if (closing) return Promise.reject(new Fault("disk_failed", { reason: "the store is closed" }));
      const durable = new Promise<void>((done, fail) => {
        queued.push({ when, write, rows, done, refuse: fail });
      });
      wake(when === "now");
      return durable;
    },
    flush() {
      if (queued.length === 0) return;
      run(Number.POSITIVE_INFINITY);
      wake(true);
    },
    onRefused(fn) {
      listeners.push(fn);
    },
    get waiting() {
      return queued.length + written.length;
    },
    onCommit(fn) {
      commitListeners.add(fn);
      return () => void commitListeners.delete(fn);
    },
    problem: () => trouble.reason(),
    async close() {
      closing = true;
      scheduled?.cancel();
      clearTimeout(quietTimer);
      trouble.close();
      await running;
      await pump();
    },
  };
  return queue;
}

function hurried(job: Job): boolean {
  return job.when === "now";
}

function immediate(fn: () => void) {
  const handle = setImmediate(fn);
  return { atOnce: true, cancel: () => clearImmediate(handle) };
}

// A real timer instead of the clock's: it paces the disk, and no test needs to control it.
function timer(fn: () => void, ms: number) {
  const handle = setTimeout(fn, ms);
  return { atOnce: false, cancel: () => clearTimeout(handle) };
}
