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

/** @param options used for as long as the connection is open */
export function createListingSchedule(options: ListingScheduleOptions): ListingSchedule {
  return new Schedule(options);
}

/** A class takes less memory than closures, and each open connection has one of these. */
class Schedule implements ListingSchedule {
  private readonly options: ListingScheduleOptions;
  private running: Promise<void> | undefined = undefined;
  private again = false;
  private firstAt: number | undefined = undefined;
  private failures = 0;
  private polling = false;
  private isStopped = false;
  private cancelQuiet: (() => void) | undefined = undefined;
  private cancelNext: (() => void) | undefined = undefined;
  /** The interval with which the next listing was scheduled (ms). */
  private appointedMs: number | undefined = undefined;

  constructor(options: ListingScheduleOptions) {
    this.options = options;
  }

  now(reason: string): Promise<void> {
    return this.running ?? this.run(reason);
  }

  listChanged(): void {
    if (this.isStopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    const { clock } = this.options;
    this.firstAt ??= clock.now();
    this.cancelQuiet?.();
    const wait = Math.min(QUIET_MS, Math.max(0, this.firstAt + LATEST_MS - clock.now()));
    this.cancelQuiet = clock.after(wait, () => this.runQuietly("the list changed"));
  }

  poll(): void {
    this.polling = true;
    if (!this.running) this.scheduleNext();
  }

  retime(): void {
    const isPolling = this.polling && !this.running && !this.isStopped && this.failures === 0;
    if (isPolling && this.options.pollMs() !== this.appointedMs) this.scheduleNext();
  }

  async idle(): Promise<void> {
    await this.running?.catch(() => {});
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimers();
  }

  private run(reason: string): Promise<void> {
    this.cancelTimers();
    this.firstAt = undefined;
    this.running = this.options
      .list(reason)
      .then(
        () => {
          this.failures = 0;
        },
        (error) => {
          this.failures++;
          throw error;
        },
      )
      .finally(() => {
        this.running = undefined;
        if (this.isStopped) return;
        if (this.again) {
          this.again = false;
          this.listChanged();
        } else this.scheduleNext();
      });
    return this.running;
  }

  private runQuietly(reason: string): void {
    this.run(reason).catch((error) => this.options.failed(error));
  }

  private cancelTimers(): void {
    this.cancelQuiet?.();
    this.cancelNext?.();
    // The functions would keep the timers.
    this.cancelQuiet = undefined;
    this.cancelNext = undefined;
  }

  private scheduleNext(): void {
    this.cancelNext?.();
    this.cancelNext = undefined;
    const { failures, polling, options } = this;
    const retry = Math.min(RETRY_MS[1], RETRY_MS[0] * 2 ** Math.min(failures - 1, 10));
    const pollMs = options.pollMs();
    this.appointedMs = pollMs;
    const ms = failures > 0 ? retry : polling ? pollMs : 0;
    if (ms > 0)
      this.cancelNext = options.clock.after(ms, () =>
        this.runQuietly(this.failures > 0 ? "the last listing failed" : "polling"),
      );
  }
}
