import type { Clock } from "../base/clock.ts";

/** Work that failed and is tried again a little later; at most one piece of it for each key. */
interface Retries {
  /** In place of what was planned for this key before. */
  plan(key: string, work: () => void): void;
  cancel(key: string): void;
  /** Calls everything off; nothing is planned any more. */
  close(): void;
}

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
