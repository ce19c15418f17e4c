/** The number of calls by duration (ms). */
export type Durations = Map<number, number>;

/**
 * Returns the quantile of durations by nearest rank: the smallest duration that at least this share of all durations
 * does not exceed.
 *
 * @param part the share, above 0, at most 1
 * @returns null if there are no durations
 */
export function quantile(durations: Durations, part: number): number | null {
  let total = 0;
  for (const count of durations.values()) total += count;
  let left = Math.ceil(total * part);
  for (const [duration, count] of [...durations].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return duration;
  }
  return null;
}
