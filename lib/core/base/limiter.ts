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
  let limits = initial;
  let active = 0;
  let typicalMs: number | undefined;
  // A Set keeps the order of arrival and removes a waiter that gave up in constant time.
  const waiters = new Set<Waiter>();

  const free = () => limits.slots === 0 || active < limits.slots;
  const facts = () => ({ ...who, limit: limits.slots, retryAfterMs: retryAfter() });
  const retryAfter = () => {
    if (typicalMs === undefined) return RETRY_MS.unknown;
    const turns = (waiters.size + 1) / Math.max(1, limits.slots);
    return Math.round(Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, typicalMs * turns)));
  };
  const grant = () => {
    for (const waiter of waiters) {
      if (!free()) return;
      waiters.delete(waiter);
      active++;
      waiter.grant();
    }
  };

  const wait = (waitMs: number, signal: AbortSignal | undefined) =>
    new Promise<void>((done, fail) => {
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
        waiter.refuse(new Fault("queue_timeout", { ...facts(), waitedMs: clock.now() - since })),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
      waiters.add(waiter);
    });

  return {
    get active() {
      return active;
    },
    get waiting() {
      return waiters.size;
    },
    take(waitMs, signal) {
      if (free() && waiters.size === 0) {
        active++;
        return undefined;
      }
      if (signal?.aborted) throw new Fault("cancelled");
      if (waiters.size >= limits.queue) throw new Fault("queue_full", facts());
      if (waitMs <= 0) throw new Fault("queue_timeout", { ...facts(), waitedMs: 0 });
      return wait(waitMs, signal);
    },
    release(heldMs) {
      active--;
      if (heldMs !== undefined) typicalMs = typicalMs === undefined ? heldMs : typicalMs * 0.8 + heldMs * 0.2;
      if (waiters.size > 0) grant();
    },
    set(next) {
      limits = next;
      grant();
    },
    refuse(error) {
      for (const waiter of waiters) waiter.refuse(error);
    },
  };
}
