import { nextLoopTurn } from "../../core/base/loop-share.ts";

/** Longest work without a turn for others. (ms) */
const SLICE_MS = 4;

/**
 * Runs steps to their end, with a turn for others after each slice of work. Answers at once when one slice is enough.
 *
 * @param budgetMs longest work of all slices together
 * @returns what the steps return; undefined when the budget is used up before
 */
export function inSlices<T extends object | string>(
  steps: Generator<void, T>,
  budgetMs: number,
): T | undefined | Promise<T | undefined> {
  let left = budgetMs;
  /** Undefined where more is to be done. */
  const slice = (): { value: T } | undefined => {
    const began = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done) return { value: step.value };
      const spent = performance.now() - began;
      if (spent < SLICE_MS && spent < left) continue;
      left -= spent;
      return undefined;
    }
  };
  const first = slice();
  if (first) return first.value;
  return (async () => {
    while (left > 0) {
      await nextLoopTurn();
      const next = slice();
      if (next) return next.value;
    }
    return undefined;
  })();
}
