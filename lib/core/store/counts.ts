import { LRUCache } from "lru-cache";
import { Fault } from "../base/fault.ts";

/**
 * Maximum number of counts at the same time. Further ones wait, so that many requests together cannot block the event
 * loop.
 */
const AT_ONCE = 2;
/** Maximum time for which a result is reused (ms). */
const MAX_AGE_MS = 60_000;
/**
 * A result is reused for this many times as long as counting took. Counting therefore takes at most a few percent of
 * the time.
 */
const AGE_PER_EFFORT = 20;
/** A result that took less than this to count is not reused (ms). */
const CHEAP_MS = 50;
/** Maximum number of results kept. */
const MAX_KEPT = 50;

/** Counts over many records, shared by concurrent identical requests. */
export interface Counts {
  /**
   * Returns a recent result, joins a running count with the same key, or counts.
   *
   * @param key everything on which the result depends, except the time
   * @param signal aborts when the requester leaves; a count that no requester awaits is stopped
   * @returns the result and its age at the time of the request (ms)
   * @throws Fault cancelled, and what `count` throws
   */
  share<T>(
    key: string,
    signal: AbortSignal | undefined,
    count: (stop: AbortSignal) => Promise<T>,
  ): Promise<{ result: T; ageMs: number }>;
}

interface Running {
  promise: Promise<unknown>;
  /** The time at which the count began. */
  from: number;
  stop: AbortController;
  askers: number;
}

/** Makes the cache of counts. @param now returns a monotonic time (ms) */
export function createCounts(now: () => number = () => performance.now()): Counts {
  const kept = new LRUCache<string, { result: unknown; at: number; until: number }>({ max: MAX_KEPT });
  const running = new Map<string, Running>();
  const waiting = new Set<() => void>();
  let active = 0;

  const permit = (stop: AbortSignal): Promise<void> | undefined => {
    if (active < AT_ONCE) {
      active++;
      return undefined;
    }
    return new Promise((done, fail) => {
      const start = () => {
        stop.removeEventListener("abort", leave);
        active++;
        done();
      };
      const leave = () => {
        waiting.delete(start);
        fail(new Fault("cancelled"));
      };
      stop.addEventListener("abort", leave, { once: true });
      waiting.add(start);
    });
  };
  const release = () => {
    active--;
    for (const start of waiting) {
      waiting.delete(start);
      start();
      return;
    }
  };

  async function run<T>(key: string, stop: AbortSignal, count: (stop: AbortSignal) => Promise<T>): Promise<T> {
    await permit(stop);
    try {
      const from = now();
      const result = await count(stop);
      const at = now();
      const tookMs = at - from;
      if (tookMs < CHEAP_MS) kept.delete(key);
      else kept.set(key, { result, at: from, until: at + Math.min(MAX_AGE_MS, tookMs * AGE_PER_EFFORT) });
      return result;
    } finally {
      release();
    }
  }

  function begin<T>(key: string, count: (stop: AbortSignal) => Promise<T>): Running {
    const stop = new AbortController();
    const entry: Running = { stop, askers: 0, from: now(), promise: run(key, stop.signal, count) };
    running.set(key, entry);
    const forget = () => {
      if (running.get(key) === entry) running.delete(key);
    };
    entry.promise.then(forget, forget);
    return entry;
  }

  return {
    async share<T>(key: string, signal: AbortSignal | undefined, count: (stop: AbortSignal) => Promise<T>) {
      if (signal?.aborted) throw new Fault("cancelled");
      const known = kept.get(key);
      if (known && now() < known.until) return { result: known.result as T, ageMs: Math.round(now() - known.at) };
      const entry = running.get(key) ?? begin(key, count);
      entry.askers++;
      // A count that is already running may have passed the position of newer records, so the age includes its running
      // time.
      const ageMs = Math.round(now() - entry.from);
      try {
        const result = await untilGone(entry.promise, signal);
        return { result: result as T, ageMs };
      } finally {
        entry.askers--;
        if (entry.askers === 0 && running.get(key) === entry) {
          running.delete(key);
          entry.stop.abort(new Fault("cancelled"));
        }
      }
    },
  };
}

/** Waits for a promise. @throws Fault cancelled as soon as the signal aborts */
function untilGone<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((done, fail) => {
    const leave = () => fail(new Fault("cancelled"));
    signal.addEventListener("abort", leave, { once: true });
    const settled = () => signal.removeEventListener("abort", leave);
    promise.then(
      (value) => {
        settled();
        done(value);
      },
      (error) => {
        settled();
        fail(error);
      },
    );
  });
}
