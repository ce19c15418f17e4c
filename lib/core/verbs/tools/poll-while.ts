import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { createPermits } from "../../base/permits.ts";

/** Checks that wait at once (spec 000 §8). */
export const preflightWaits = part("preflightWaits", () => createPermits(4));

/** Least time between two looks. (ms; spec 000 §8) */
const POLL_MS = 250;

interface PollOptions<T> {
  check(): T;
  /** Whether waiting can still make it better. */
  isPending(seen: T): boolean;
  waitMs: number;
  /** Ends the waiting when whoever asked goes away. */
  signal: AbortSignal;
}

/**
 * Looks, and looks again every quarter of a second, until waiting is of no use or the time is up (spec 000 §4.3 rule 5).
 * Four wait at once in the whole program; whoever comes beyond that gets what is seen at once.
 *
 * @throws Fault cancelled
 */
export async function pollWhile<T>(
  app: Pick<App, "clock" | "part">,
  { check, isPending, waitMs, signal }: PollOptions<T>,
): Promise<{ seen: T; waitedMs: number }> {
  let seen = check();
  if (waitMs === 0 || !isPending(seen)) return { seen, waitedMs: 0 };
  const leave = app.part(preflightWaits).take();
  if (!leave) return { seen, waitedMs: 0 };
  const { clock } = app;
  const from = clock.now();
  try {
    for (let left = waitMs; left > 0 && isPending(seen); ) {
      // The last look is at the deadline, and no sooner after the one before than any other.
      const pause = left < 2 * POLL_MS ? left : POLL_MS;
      await clock.sleep(pause, signal).catch((cause: unknown) => {
        throw new Fault("cancelled", undefined, { cause });
      });
      left -= pause;
      seen = check();
    }
  } finally {
    leave();
  }
  return { seen, waitedMs: Math.max(0, clock.now() - from) };
}
