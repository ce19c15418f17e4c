import type { Clock } from "../base/clock.ts";

/** Calls failed functions again after a delay; at most one function per key waits. */
interface Retries {
  /** Plans a call, in place of one that was planned for this key before. */
  plan(key: string, work: () => void): void;
  cancel(key: string): void;
  /** Cancels all planned calls and accepts no new ones. */
  close(): void;
}

/** @param waitMs delay of each call (ms) */
export function createRetries(clock: Pick<Clock, "after">, waitMs: number): Retries {
  const planned = new Map<string, () => void>();
  let closed = false;

  function cancel(key: string): void {
    planned.get(key)?.();
    planned.delete(key);
  }

  return {
    plan(key, work) {
      cancel(key);
      if (!closed) planned.set(key, clock.after(waitMs, work));
    },
    cancel,
    close() {
      closed = true;
      for (const key of [...planned.keys()]) cancel(key);
    },
  };
}
