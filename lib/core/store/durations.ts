/**
 * How often each duration (ms) occurred, as text for a column: `30,2,900,1` means twice 30 and once 900. The texts of
 * several rows, joined by a comma, form the text of their sum.
 */
type DurationsText = string;

/**
 * Rounds to two significant digits, or to half of such a step if the first digit is 1 (1.05, 10.5, 105). The error is
 * at most 2.5 %, so a tool has some dozens of different durations, however often it is called.
 */
export function roundDuration(ms: number): number {
  if (!(ms > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(ms));
  const step = ms < 2 * unit ? 0.05 : 0.1;
  return Number((Math.round(ms / unit / step) * step * unit).toPrecision(3));
}

/** Adds durations that occurred once each. */
export function addDurations(into: Map<number, number>, durations: readonly number[]): void {
  for (const ms of durations) {
    const rounded = roundDuration(ms);
    into.set(rounded, (into.get(rounded) ?? 0) + 1);
  }
}

/** Adds the durations of a text, or of the texts of several rows joined by a comma. */
export function addDurationsText(into: Map<number, number>, text: DurationsText): void {
  const pairs = JSON.parse(`[${text}]`) as number[];
  for (let i = 0; i + 1 < pairs.length; i += 2) into.set(pairs[i]!, (into.get(pairs[i]!) ?? 0) + pairs[i + 1]!);
}

/** Converts durations into pairs of duration (ms) and count, for the database. */
export function durationsText(durations: ReadonlyMap<number, number>): DurationsText {
  return [...durations].map(([ms, count]) => `${ms},${count}`).join(",");
}
