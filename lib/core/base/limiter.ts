import type { Clock } from "./clock.ts";
import { Fault } from "./fault.ts";

export interface LimiterLimits {
  /** Largest number of concurrent holders; 0 means no limit. */
  slots: number;
  /** Largest number of waiting callers; 0 means that nobody waits. */
  queue: number;
}

/** The server whose calls are limited, or the whole proxy; for messages and records. */
interface LimitSubject {
  readonly scope: "server" | "global";
  readonly server?: string;
}

/** Permits for calls, granted in order of arrival, with a bounded queue. Limits may change at any time. */
export interface Limiter {
  readonly active: number;
  readonly waiting: number;
  /**
   * Takes a permit. Returns `undefined` if one is free, so that the common case needs no promise; otherwise a promise
   * that resolves when the permit is granted.
   * @throws Fault queue_full at once
   * @throws Fault queue_timeout or cancelled, as rejection of the promise
   */
  take(waitMs: number, signal?: AbortSignal): Promise<void> | undefined;
  /** Gives a permit back. `heldMs`, if known, improves the estimate of `retryAfterMs`. */
  release(heldMs?: number): void;
  /** Changes the limits. Holders and waiters stay; additional permits are granted at once. */
  set(limits: LimiterLimits): void;
  /** Rejects every waiter with this error; holders stay. */
  refuse(error: Error): void;
}

interface Waiter {
  grant(): void;
  refuse(error: Error): void;
}

/** Lower and upper bound of `retryAfterMs`, and its value while no duration is known. (ms) */
const RETRY_MS = { least: 100, most: 30_000, unknown: 1000 };

/** @param initial without limits by default */
export function createLimiter(
  who: LimitSubject,
  clock: Clock,
  initial: LimiterLimits = { slots: 0, queue: 0 },
): Limiter {
  return new OrderedLimiter(who, clock, initial);
}

/** A class, because each server has a limiter: as closures, its functions would take 1.2 KB for each server. */
class OrderedLimiter implements Limiter {
  active = 0;
  private readonly who: LimitSubject;
  private readonly clock: Clock;
  private limits: LimiterLimits;
  private typicalMs: number | undefined = undefined;
  // A Set keeps the order of arrival and removes a waiter that gave up in constant time. It is made for the first waiter.
  private waiters: Set<Waiter> | undefined = undefined;

  constructor(who: LimitSubject, clock: Clock, limits: LimiterLimits) {
    this.who = who;
    this.clock = clock;
    this.limits = limits;
  }

  get waiting(): number {
    return this.waiters?.size ?? 0;
  }

  take(waitMs: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.isFree() && this.waiting === 0) {
      this.active++;
      return undefined;
    }
    if (signal?.aborted) throw new Fault("cancelled");
    if (this.waiting >= this.limits.queue) throw new Fault("queue_full", this.facts());
    if (waitMs <= 0) throw new Fault("queue_timeout", { ...this.facts(), waitedMs: 0 });
    return this.wait(waitMs, signal);
  }

  release(heldMs?: number): void {
    this.active--;
    if (heldMs !== undefined)
      this.typicalMs = this.typicalMs === undefined ? heldMs : this.typicalMs * 0.8 + heldMs * 0.2;
    if (this.waiting > 0) this.grant();
  }

  set(limits: LimiterLimits): void {
    this.limits = limits;
    this.grant();
  }

  refuse(error: Error): void {
    for (const waiter of this.waiters ?? []) waiter.refuse(error);
  }

  private isFree(): boolean {
    return this.limits.slots === 0 || this.active < this.limits.slots;
  }

  private facts() {
    return { ...this.who, limit: this.limits.slots, retryAfterMs: this.retryAfterMs() };
  }

  private retryAfterMs(): number {
    if (this.typicalMs === undefined) return RETRY_MS.unknown;
    const turns = (this.waiting + 1) / Math.max(1, this.limits.slots);
    return Math.round(Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, this.typicalMs * turns)));
  }

  private grant(): void {
    const { waiters } = this;
    if (!waiters) return;
    for (const waiter of waiters) {
      if (!this.isFree()) return;
      waiters.delete(waiter);
      this.active++;
      waiter.grant();
    }
  }

  private wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this;
    this.waiters ??= new Set();
    const { waiters } = this;
    return new Promise((done, fail) => {
      const since = clock.now();
      const leave = () => {
        waiters.delete(waiter);
        stopTimer();
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = () => waiter.refuse(new Fault("cancelled"));
      const waiter: Waiter = {
        grant: () => {
          leave();
          done();
        },
        refuse: (error) => {
          leave();
          fail(error);
        },
      };
      const stopTimer = clock.after(waitMs, () =>
        waiter.refuse(new Fault("queue_timeout", { ...this.facts(), waitedMs: clock.now() - since })),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
      waiters.add(waiter);
    });
  }
}
