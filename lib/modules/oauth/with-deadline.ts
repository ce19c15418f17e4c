import type { Clock } from "../../core/base/clock.ts";

/** Combines the signals with a timeout after `ms`. */
export function withDeadline(
  clock: Clock,
  ms: number,
  signals: AbortSignal[],
): { signal: AbortSignal; cancel(): void } {
  const late = new AbortController();
  const cancel = clock.after(ms, () => late.abort(new Error(`it took longer than ${ms / 1000} s`)));
  return { signal: AbortSignal.any([...signals, late.signal]), cancel };
}
