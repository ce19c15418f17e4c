import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { isDiskFault } from "./disk-fault.ts";
import { createDiskOutage } from "./disk-outage.ts";

/**
 * The queue of all writes. The waiting writes run in order as one transaction with one sync of the disk; then the promise
 * of each writer resolves.
 */
export interface WriteQueue {
  /**
   * Queues a write; it may be run twice, when another one of its transaction fails.
   *
   * @param when `now`: with the next turn of the event loop. `soon`: up to `GATHER_MS` later under load
   * @param rows how many it writes, roughly; 1 unless given
   * @returns resolves when durable; rejects with Fault disk_failed, or with what `write` threw
   */
  put(when: "now" | "soon", write: () => void, rows?: number): Promise<void>;
  /** Runs the queued writes, so that a read sees them; their promises do not resolve yet. */
  flush(): void;
  /** How many writes wait. */
  waiting(): number;
  /** Calls `fn` whenever writes failed, so that in-memory copies are read again from the disk. */
  onRefused(fn: () => void): void;
  /** Why the last write failed, until one succeeds. */
  problem(): string | undefined;
  /** Closes the queue; resolves when every queued write is on the disk or has failed. */
  close(): Promise<void>;
}

interface Job {
  readonly when: "now" | "soon";
  readonly write: () => void;
  readonly rows: number;
  readonly done: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Minimum time between two transactions without urgent writes: the larger a transaction, the less a record costs. */
const GATHER_MS = 20;
/** Maximum time that one slice blocks the event loop, besides the commit, however much waits. */
const SLICE_MS = 4;
/** Rows that are written between two looks at the time. */
const SLICE_ROWS = 32;

/**
 * @param probe a small real write, tried after a failure until it succeeds, so that `problem()` ends by itself
 */
export function createWriteQueue(
  connection: DatabaseConnection,
  clock: Clock,
  log: Logger,
  probe: () => void,
): WriteQueue {
  let queued: Job[] = [];
  /** In a transaction that has ended, not yet known to be on the disk. */
  let written: Job[] = [];
  let running: Promise<void> | undefined;
  let scheduled: { readonly atOnce: boolean; cancel(): void } | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;
  let closing = false;
  const listeners: (() => void)[] = [];
  const trouble = createDiskOutage(clock, log, () => queue.put("now", probe).catch(() => {}));

  const refuse = (jobs: readonly Job[], reason: unknown) => {
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

  /** One transaction of what is queued, for at most `sliceMs`. */
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
          for (current of queued) {
            current.write();
            count++;
            rows += current.rows;
            if (rows < SLICE_ROWS) continue;
            if (performance.now() > end) break;
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
          // The write itself is faulty: it is removed, and the others run again in a new transaction.
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
        for (const job of jobs) job.done();
      } catch (error) {
        const lost = [...jobs, ...takeWritten()];
        refuse(lost, trouble.report(error, lost.length));
      }
    } while (written.length > 0 || queued.some(hurried) || (closing && queued.length > 0));
  };

  const wake = (atOnce: boolean) => {
    if (running || closing || scheduled?.atOnce) return;
    const wait = atOnce ? 0 : lastStart + GATHER_MS - performance.now();
    if (wait > 0 && scheduled) return;
    scheduled?.cancel();
    const start = () => {
      scheduled = undefined;
      running = pump().finally(() => {
        running = undefined;
        // A read may have run what was put by those who were answered just now.
        if (queued.length > 0 || written.length > 0) wake(written.length > 0);
      });
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
    waiting: () => queued.length,
    onRefused(fn) {
      listeners.push(fn);
    },
    problem: () => trouble.reason(),
    async close() {
      closing = true;
      scheduled?.cancel();
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
