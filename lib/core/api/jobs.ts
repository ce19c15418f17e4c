import { part } from "../app.ts";
import { type Clock, rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { recordId } from "../base/id.ts";
import type { Logger } from "../log/logger.ts";
import type { Job } from "../schema/job.ts";

/** Requests that were answered before their work was done (`Prefer: respond-async`, RFC 7240 §4.1). */
interface Jobs {
  /**
   * Starts work that continues after the response.
   *
   * @param operation the route, such as `POST /api/v1/servers/restart_all`
   * @param run its signal aborts when the job is cancelled or the program stops
   * @throws Fault too_many_jobs
   */
  start(operation: string, by: string, run: (signal: AbortSignal) => Promise<unknown>): Job;
  /** Returns all jobs, newest first. */
  list(): Job[];
  /** Returns the job with this id. @throws Fault no_such_record */
  get(id: string): Job;
  /** Cancels a running job; a job that has ended does not change. @throws Fault no_such_record */
  cancel(id: string): Promise<Job>;
  /** Cancels all jobs. */
  close(): Promise<void>;
}

const MAX_RUNNING = 20;
/** Maximum number of jobs kept in memory, and how long they are kept after their end. */
const MAX_REMEMBERED = 200;
const REMEMBERED_FOR_MS = 60 * 60_000;
/** Retry delay that a client is told if too many jobs are running. (ms) */
const RETRY_AFTER_MS = 5000;

interface Running {
  job: Job;
  endedAt?: number;
  ending: AbortController;
  ended: Promise<void>;
}

/** Jobs are kept in memory. A restart ends them, and their ids are unknown afterwards. */
export function createJobs({ clock, log }: { clock: Clock; log: Logger }): Jobs {
  const jobs = new Map<string, Running>();

  const sweep = () => {
    for (const [id, { endedAt }] of jobs)
      if (endedAt !== undefined && (clock.now() - endedAt > REMEMBERED_FOR_MS || jobs.size > MAX_REMEMBERED))
        jobs.delete(id);
  };
  const find = (id: string): Running => {
    sweep();
    const found = jobs.get(id);
    if (!found) throw new Fault("no_such_record", { what: "job", id });
    return found;
  };
  const cancel = async ({ ending, ended }: Running) => {
    ending.abort(new Fault("cancelled"));
    await ended;
  };

  return {
    start(operation, by, run) {
      sweep();
      const running = [...jobs.values()].filter(({ endedAt }) => endedAt === undefined).length;
      if (running >= MAX_RUNNING)
        throw new Fault("too_many_jobs", { limit: MAX_RUNNING, retryAfterMs: RETRY_AFTER_MS });
      const id = recordId(clock.now());
      const ending = new AbortController();
      const job: Job = { id, operation, status: "running", requested_by: by, created_at: rfc3339(clock.now()) };
      const end = (outcome: Partial<Job>) => {
        entry.endedAt = clock.now();
        entry.job = { ...entry.job, ...outcome, finished_at: rfc3339(entry.endedAt) };
      };
      const entry: Running = { job, ending, ended: Promise.resolve() };
      entry.ended = run(ending.signal).then(
        (result) => end(ending.signal.aborted ? { status: "cancelled", result } : { status: "succeeded", result }),
        (error: unknown) => {
          if (ending.signal.aborted) return end({ status: "cancelled" });
          const fault = error instanceof Fault ? error : new Fault("internal");
          if (fault !== error) log.error(`job ${id} (${operation}) failed`, { error });
          end({ status: "failed", error: { code: fault.code, message: fault.message } });
        },
      );
      jobs.set(id, entry);
      return job;
    },
    list() {
      sweep();
      return [...jobs.values()].map(({ job }) => job).reverse();
    },
    get: (id) => find(id).job,
    async cancel(id) {
      const entry = find(id);
      if (entry.endedAt === undefined) await cancel(entry);
      return entry.job;
    },
    async close() {
      await Promise.all([...jobs.values()].filter(({ endedAt }) => endedAt === undefined).map(cancel));
    },
  };
}

/** The jobs of this process. */
export const requestJobs = part<Jobs>(
  "jobs",
  ({ clock, log }) => createJobs({ clock, log: log.tagged("jobs") }),
  (opened) => opened.close(),
);
