import type { Clock } from "#lib/core/base/clock.ts";

export interface HandClock extends Clock {
  /** Advances the time and runs due timers in order, with pending promise reactions in between. */
  advance(ms: number): Promise<void>;
  /** Moves the time and runs nothing, as if the machine had slept. */
  jump(ms: number): void;
}

/** A manual clock, so that a five-minute wait is tested in a microsecond. */
export function handClock(start = 1_700_000_000_000): HandClock {
  let now = start;
  let seq = 0;
  const timers = new Map<number, { at: number; fn: () => void; every?: number }>();
  const add = (ms: number, fn: () => void, every?: number) => {
    const id = seq++;
    timers.set(id, every === undefined ? { at: now + ms, fn } : { at: now + ms, fn, every });
    return () => void timers.delete(id);
  };
  const settle = async () => {
    for (let i = 0; i < 10; i++) await new Promise<void>((r) => setImmediate(r));
  };
  return {
    now: () => now,
    after: (ms, fn) => add(ms, fn),
    every: (ms, fn) => add(ms, fn, ms),
    sleep: (ms, signal) =>
      new Promise((done, fail) => {
        if (signal?.aborted) return fail(signal.reason);
        const cancel = add(ms, done);
        const stop = () => {
          cancel();
          fail(signal?.reason);
        };
        signal?.addEventListener("abort", stop, { once: true });
      }),
    jump(ms) {
      now += ms;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter(([, t]) => t.at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
        if (!due) break;
        const [id, timer] = due;
        now = Math.max(now, timer.at);
        if (timer.every === undefined) timers.delete(id);
        else timer.at += timer.every;
        timer.fn();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
