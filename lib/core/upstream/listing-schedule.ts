import type { Clock } from "../base/clock.ts";

export interface ListingScheduleOptions {
  clock: Clock;
  /** One listing, from request to catalog. */
  list(reason: string): Promise<void>;
  /** A listing failed; it will be tried again. */
  failed(error: unknown): void;
  /** Between listings of an upstream that announces nothing (ms); 0: none. Asked anew each time. */
  pollMs(): number;
}

/** Quick successive announcements are merged: listed when there was quiet, at the latest after a while. (ms) */
const QUIET_MS = 250;
const LATEST_MS = 2000;
/** First and longest wait after a listing that failed. (ms) */
const RETRY_MS = [5000, 300_000] as const;

/**
 * Decides when the tools of one upstream are listed: now, after an announcement, by the clock, or again after a
 * failure. There is never more than one listing running and one waiting, however many are asked for.
 */
export interface ListingSchedule {
  /** Lists now, or joins the listing that runs. Settles with it. */
  now(reason: string): Promise<void>;
  /** Something was announced. */
  listChanged(): void;
  /** From now on the clock decides too. */
  poll(): void;
  /** The interval may be another one. */
  retime(): void;
  /** Resolves when no listing runs any more. */
  idle(): Promise<void>;
  stop(): void;
}

export function createListingSchedule({ clock, list, failed, pollMs }: ListingScheduleOptions): ListingSchedule {
  let running: Promise<void> | undefined;
  let again = false;
  let firstAt: number | undefined;
  let failures = 0;
  let polling = false;
  let stopped = false;
  let cancelQuiet = () => {};
  let cancelNext = () => {};
  /** What the next poll was appointed by (ms). */
  let appointedMs: number | undefined;

  const run = (reason: string): Promise<void> => {
    cancelQuiet();
    cancelNext();
    firstAt = undefined;
    running = list(reason)
      .then(
        () => {
          failures = 0;
        },
        (error) => {
          failures++;
          throw error;
        },
      )
      .finally(() => {
        running = undefined;
        if (stopped) return;
        if (again) {
          again = false;
          listChanged();
        } else scheduleNext();
      });
    return running;
  };
  const runQuietly = (reason: string) => void run(reason).catch(failed);

  const listChanged = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    firstAt ??= clock.now();
    cancelQuiet();
    const wait = Math.min(QUIET_MS, Math.max(0, firstAt + LATEST_MS - clock.now()));
    cancelQuiet = clock.after(wait, () => runQuietly("the list changed"));
  };

  const scheduleNext = () => {
    cancelNext();
    const retry = Math.min(RETRY_MS[1], RETRY_MS[0] * 2 ** Math.min(failures - 1, 10));
    appointedMs = pollMs();
    const ms = failures > 0 ? retry : polling ? appointedMs : 0;
    if (ms > 0) cancelNext = clock.after(ms, () => runQuietly(failures > 0 ? "the last listing failed" : "polling"));
  };

  return {
    now: (reason) => running ?? run(reason),
    listChanged,
    poll() {
      polling = true;
      if (!running) scheduleNext();
    },
    retime() {
      if (polling && !running && !stopped && failures === 0 && pollMs() !== appointedMs) scheduleNext();
    },
    idle: async () => {
      await running?.catch(() => {});
    },
    stop() {
      stopped = true;
      cancelQuiet();
      cancelNext();
    },
  };
}
