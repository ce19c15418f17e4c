import type { Clock } from "../base/clock.ts";

export interface ListingScheduleOptions {
  clock: Clock;
  /** Requests the list and passes it to the catalog. */
  list(reason: string): Promise<void>;
  /** Called when a listing failed; it will be repeated. */
  failed(error: unknown): void;
  /** Returns the interval of polling if the upstream sends no notifications (ms), 0 for none; called each time. */
  pollMs(): number;
}

/**
 * Notifications in quick succession are combined: the list is requested after a quiet period, or after a maximum time.
 * (ms)
 */
const QUIET_MS = 250;
const LATEST_MS = 2000;
/** First and longest wait after a failed listing. (ms) */
const RETRY_MS = [5000, 300_000] as const;

/**
 * Decides when the tools of one upstream are listed: on request, after a notification, at an interval, or again after a
 * failure. At most one listing is in progress and one waits, however many are requested.
 */
export interface ListingSchedule {
  /** Lists now, or joins the listing in progress; settles with it. */
  now(reason: string): Promise<void>;
  /** Call when the server notified a change. */
  listChanged(): void;
  /** From now on, lists are also requested at the interval. */
  poll(): void;
  /** Call when the interval may have changed. */
  retime(): void;
  /** Resolves when no listing is in progress. */
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
  /** The interval with which the next listing was scheduled (ms). */
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
