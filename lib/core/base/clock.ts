/** The current time (milliseconds since the epoch) and timers. Tests pass a clock that they advance by hand. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `fn` once after `ms`; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` every `ms` until cancelled. Never keeps the process alive. */
  every(ms: number, fn: () => void): () => void;
}

/**
 * The clocks of two replicas may differ by this. An end that one replica computes and another one compares is later by
 * this time. (ms)
 */
export const CLOCK_SKEW_MS = 10 * 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((done, fail) => {
      if (signal?.aborted) return fail(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        fail(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        done();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms).unref();
    return () => clearInterval(timer);
  },
};

/** Returns a clock whose time is that of another one and an offset, which may change. (ms) */
export function offsetClock(clock: Clock, offsetMs: () => number): Clock {
  return { ...clock, now: () => clock.now() + offsetMs() };
}

/** Formats a time in UTC (RFC 3339). All times that the program shows or sends have this form. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `30s`, `1m30s`, `500ms`, `0` into milliseconds; `undefined` for any other text. */
export function durationMs(text: string): number | undefined {
  if (text === "0") return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, n, , unit] of text.matchAll(/(\d+(\.\d+)?)(ms|s|m|h|d)/g)) total += Number(n) * UNITS[unit!]!;
  return total;
}
