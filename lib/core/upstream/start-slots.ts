import type { Clock } from "../base/clock.ts";
import { createLimiter } from "../base/limiter.ts";

/** A slow starter makes nobody wait longer than this. (ms) */
const TURN_MS = 5000;
const ENDLESS = { queue: Number.MAX_SAFE_INTEGER, waitMs: 2 ** 31 - 1 };

/** Lets commands start a few at a time: thirty at once would all be too slow for their handshakes. */
export interface StartSlots {
  /** Waits for a turn; the answer ends it, which also happens by itself after a while. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** @param most how many start at once */
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
