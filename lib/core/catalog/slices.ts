import { loopShare, nextLoopTurn } from "../base/loop-share.ts";

/**
 * Does something with the items, `size` at a time, others having turns between. Many servers connect at the same time,
 * so each of them waits for its turn before it begins.
 */
export async function inSlices<T>(
  items: readonly T[],
  size: number,
  work: (slice: readonly T[]) => void,
): Promise<void> {
  if (items.length === 0) return;
  await nextLoopTurn("background");
  const pause = loopShare("background");
  for (let i = 0; i < items.length; i += size) {
    work(items.slice(i, i + size));
    await pause();
  }
}
