import { loopShare } from "./loop-share.ts";

/** Number of rows that are sorted in one step. */
const RUN = 512;

/** Stable merge sort that yields to other work: it sorts short runs, then merges them. */
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
