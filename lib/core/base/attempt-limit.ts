import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

/** Limits how often something happens, for each key and in total. */
export interface AttemptLimit {
  /** Counts one attempt. @returns how long to wait before the next one is accepted (ms); 0 if this one is */
  take(key: string): number | Promise<number>;
}

/** A limit of this process alone. */
interface LocalAttemptLimit extends AttemptLimit {
  take(key: string): number;
  /** Uncounts an attempt that was none, such as one with a valid secret. */
  giveBack(key: string): void;
}

export interface AttemptLimits {
  /** The number of attempts that are accepted within the window. */
  readonly perKey: number;
  readonly total: number;
  readonly windowMs: number;
}

interface Window {
  endsAt: number;
  count: number;
}

const MAX_KEYS = 10_000;

export function createAttemptLimit(
  clock: Pick<Clock, "now">,
  { perKey, total, windowMs }: AttemptLimits,
): LocalAttemptLimit {
  const byKey = new LRUCache<string, Window>({ max: MAX_KEYS });
  let all: Window = { endsAt: 0, count: 0 };
  const current = (window: Window | undefined): Window =>
    window && clock.now() < window.endsAt ? window : { endsAt: clock.now() + windowMs, count: 0 };
  return {
    take(key) {
      all = current(all);
      const own = current(byKey.get(key));
      byKey.set(key, own);
      if (own.count >= perKey) return own.endsAt - clock.now();
      if (all.count >= total) return all.endsAt - clock.now();
      own.count++;
      all.count++;
      return 0;
    },
    giveBack(key) {
      for (const window of [byKey.get(key), all]) if (window && window.count > 0) window.count--;
    },
  };
}
