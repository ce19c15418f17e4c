import { join } from "node:path";

/** One of several processes that serve the same address on this machine (`proxy serve --workers`). */
export interface Worker {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  /** True for the first process, which prepares what the workers share. */
  readonly isFirst: boolean;
}

/** Set by the supervisor for each worker: `2/4`, and `1/4 first` for the first process. */
export const WORKER_VARIABLE = "PROXY_WORKER";

/** @returns undefined if this process is not a worker */
export function currentWorker(env: Readonly<Record<string, string | undefined>>): Worker | undefined {
  const [, number, count, first] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})( first)?$/.exec(env[WORKER_VARIABLE] ?? "") ?? [];
  return number === undefined
    ? undefined
    : { number: Number(number), count: Number(count), isFirst: first !== undefined };
}

/** Returns the folder for files that only one process may write; without workers it is the data directory. */
export function ownFolder(dir: string, worker: Worker | undefined): string {
  return worker ? join(dir, "workers", String(worker.number)) : dir;
}

/** Returns the folder of the program's logs: `logging.log_dir`, or `logs` in the data directory. */
export function logFolder(
  { current, dataDir }: { current(): { logging: { log_dir?: string | undefined } }; dataDir: string },
  worker: Worker | undefined,
): string {
  const { log_dir } = current().logging;
  return log_dir === undefined ? join(ownFolder(dataDir, worker), "logs") : ownFolder(log_dir, worker);
}

/** Returns the path of a worker's own file beside the configured one: `audit.log` → `audit.log.worker-2`. */
export function workerFile(path: string, worker: Worker | undefined): string {
  return worker ? `${path}.worker-${worker.number}` : path;
}
