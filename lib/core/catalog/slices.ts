import { loopShare, nextLoopTurn } from "../base/loop-share.ts";

/**
 * Processes items in groups of `size`, between which other work can run. The function waits for a free turn of the
 * event loop before it begins, because many servers may connect at the same time.
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
