import { nextLoopTurn } from "../../core/base/loop-share.ts";

/** Maximum synchronous work before yielding to the event loop (ms). */
const SLICE_MS = 4;

/**
 * Runs the steps of a generator to the end, yielding to the event loop after each slice of work. Returns synchronously
 * if one slice is enough.
 *
 * @param budgetMs maximum total work of all slices
 * @returns the result of the generator; undefined if the budget is exhausted first
 */
export function inSlices<T extends object | string>(
  steps: Generator<void, T>,
  budgetMs: number,
): T | undefined | Promise<T | undefined> {
  let timeLeftMs = budgetMs;
  /** Runs one slice; undefined if more steps remain. */
  const slice = (): { value: T } | undefined => {
    const began = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done) return { value: step.value };
      const spent = performance.now() - began;
      if (spent < SLICE_MS && spent < timeLeftMs) continue;
      timeLeftMs -= spent;
      return undefined;
    }
  };
  const first = slice();
  if (first) return first.value;
  return (async () => {
    while (timeLeftMs > 0) {
      await nextLoopTurn();
      const next = slice();
      if (next) return next.value;
    }
    return undefined;
  })();
}
