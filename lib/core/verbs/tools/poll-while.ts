import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { createPermits } from "../../base/permits.ts";

/** Maximum number of checks that wait at the same time (spec 000 §8). */
export const preflightWaits = part("preflightWaits", () => createPermits(4));

/** Minimum time between two checks. (ms; spec 000 §8) */
const POLL_MS = 250;

interface PollOptions<T> {
  check(): T;
  /** True if the result may still improve. */
  isPending(seen: T): boolean;
  waitMs: number;
  /** Aborts the wait when the requester disconnects. */
  signal: AbortSignal;
}

/**
 * Repeats a check every quarter of a second until the result cannot improve or the time is over (spec 000 §4.3 rule 5).
 * At most four callers wait at the same time; any other gets the first result at once.
 *
 * @throws Fault cancelled
 */
export async function pollWhile<T>(
  app: Pick<App, "clock" | "part">,
  { check, isPending, waitMs, signal }: PollOptions<T>,
): Promise<{ seen: T; waitedMs: number }> {
  let current = check();
  if (waitMs === 0 || !isPending(current)) return { seen: current, waitedMs: 0 };
  const leave = app.part(preflightWaits).take();
  if (!leave) return { seen: current, waitedMs: 0 };
  const { clock } = app;
  const from = clock.now();
  try {
    for (let msLeft = waitMs; msLeft > 0 && isPending(current); ) {
      // The last check is made at the deadline; the pause before it may be longer than the others but not shorter.
      const pause = msLeft < 2 * POLL_MS ? msLeft : POLL_MS;
      await clock.sleep(pause, signal).catch((cause: unknown) => {
        throw new Fault("cancelled", undefined, { cause });
      });
      msLeft -= pause;
      current = check();
    }
  } finally {
    leave();
  }
  return { seen: current, waitedMs: Math.max(0, clock.now() - from) };
}
