import { round } from "./load.ts";

/** A median, and the range that contains that of all possible measurements with a probability of 95 percent. */
export interface Range {
  readonly median: number;
  readonly from: number;
  readonly to: number;
}

/** The range comes from the ranks, so it needs no assumption about how the values are distributed. */
export function medianRange(values: readonly number[]): Range {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const half = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number) => round(sorted[Math.min(sorted.length - 1, Math.max(0, rank))]!);
  return { median: at(Math.round(middle)), from: at(Math.floor(middle - half)), to: at(Math.ceil(middle + half)) };
}
