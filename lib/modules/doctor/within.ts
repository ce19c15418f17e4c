import type { Clock } from "../../core/base/clock.ts";

/** Longest wait for one thing that is looked at. (ms) */
const TIMEOUT_MS = 5000;

/** The result of some work, unless it takes more than five seconds. @throws what the work throws, or that it was late */
export async function within<T>(clock: Clock, work: () => T | Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = clock.sleep(TIMEOUT_MS, over.signal).then(() => {
    throw new Error(`no result within ${TIMEOUT_MS / 1000} seconds`);
  });
  // Ended in time, it fails with nobody to hear it.
  late.catch(() => undefined);
  try {
    return await Promise.race([Promise.resolve().then(work), late]);
  } finally {
    over.abort();
  }
}
