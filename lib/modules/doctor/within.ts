import type { Clock } from "../../core/base/clock.ts";

/** Timeout of one check (ms). */
const TIMEOUT_MS = 5000;

/** Runs some work with a timeout of five seconds. @throws the error of the work, or a timeout error */
export async function within<T>(clock: Clock, work: () => T | Promise<T>): Promise<T> {
  const over = new AbortController();
  const timeout = clock.sleep(TIMEOUT_MS, over.signal).then(() => {
    throw new Error(`no result within ${TIMEOUT_MS / 1000} seconds`);
  });
  // If the work ends in time, nobody handles the rejection of the timer.
  timeout.catch(() => undefined);
  try {
    return await Promise.race([Promise.resolve().then(work), timeout]);
  } finally {
    over.abort();
  }
}
