import type { Clock } from "../base/clock.ts";
import { createLimiter } from "../base/limiter.ts";

/** A start occupies its slot for at most this time, so that a slow program does not delay others. (ms) */
const TURN_MS = 5000;
const ENDLESS = { queue: Number.MAX_SAFE_INTEGER, waitMs: 2 ** 31 - 1 };

/** Limits how many commands start at the same time: thirty at once would all exceed the timeout of their handshakes. */
export interface StartSlots {
  /** Waits for a slot. Returns a function that frees it; it is also freed after a while. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Makes the slots. @param most number of commands that may start at the same time */
export function createStartSlots(clock: Clock, most: number): StartSlots {
  const limiter = createLimiter({ scope: "global" }, clock, { slots: most, queue: ENDLESS.queue });
  return {
    async take(signal) {
      await limiter.take(ENDLESS.waitMs, signal);
      let over = false;
      const end = () => {
        if (over) return;
        over = true;
        cancel();
        limiter.release();
      };
      const cancel = clock.after(TURN_MS, end);
      return end;
    },
  };
}
