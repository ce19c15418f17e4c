import { loopShare } from "./loop-share.ts";

/** Rows that are sorted in one piece. */
const RUN = 512;

/** Sorts without keeping the event loop from others: short runs by themselves, then merged. Equal rows keep their order. */
export async function sortedInSteps<T>(rows: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = loopShare();
  let runs: T[][] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at]!, runs[at + 1] ?? [], compare, pause));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void> | undefined,
): Promise<T[]> {
  const merged: T[] = [];
  let a = 0;
  let b = 0;
  while (a < one.length || b < other.length) {
    const first = b >= other.length || (a < one.length && compare(one[a]!, other[b]!) <= 0);
    merged.push(first ? one[a++]! : other[b++]!);
    if (merged.length % RUN === 0) await pause();
  }
  return merged;
}
