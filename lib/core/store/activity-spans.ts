import type { QueryAll } from "./activity-row.ts";

const HOUR_MS = 3_600_000;

/** Lengths of the time slots that have sums (ms): an hour, a day, sixteen days. */
export const ACTIVITY_SPANS = [HOUR_MS, 24 * HOUR_MS, 16 * 24 * HOUR_MS] as const;

/**
 * Adjacent time slots of one length. `from` is the number of the first slot, counted from the epoch; `to` is the number
 * after the last one.
 */
interface SpanRange {
  readonly spanMs: number;
  readonly from: number;
  readonly to: number;
}

/** The time slots that cover a period, except for the ends of the period, which are shorter than a slot. */
export interface SpanPlan {
  readonly ranges: readonly SpanRange[];
  /** The range that the slots cover: from `from` until before `to` (ms). */
  readonly from: number;
  readonly to: number;
}

/** The time slots of one length that have sums. */
interface BuiltSpan {
  readonly spanMs: number;
  /** Only slots before this number have sums. */
  readonly builtTo: number;
}

/** Which records and time slots the sums cover. */
export interface SumsReach {
  /** Records up to this number are included in the sums. */
  readonly throughSeq: number;
  /** Records up to this time (ms) were removed. A slot that begins at or before it has no sum. */
  readonly sweptAt: number;
  /** Shortest slots first. */
  readonly spans: readonly BuiltSpan[];
}

/** The columns of `activity_summed` that hold `builtTo` of each length; hours always have sums. */
export const BUILT_TO = [undefined, "days_to", "long_to"] as const;

/** Reads which records and time slots the sums cover; `undefined` if that cannot be read. */
export function readSumsReach(all: QueryAll): SumsReach | undefined {
  const [row] = all("select * from activity_summed");
  if (!row) return undefined;
  const built = BUILT_TO.map((column) => (column === undefined ? Number.POSITIVE_INFINITY : Number(row[column])));
  return {
    throughSeq: Number(row.through_seq),
    sweptAt: Number(row.swept_at),
    spans: ACTIVITY_SPANS.map((spanMs, i) => ({ spanMs, builtTo: built[i]! })),
  };
}

/**
 * Covers as much of a period as possible with as few time slots as possible.
 *
 * @param after only records later than this (ms); absent: no lower limit
 * @param before only records earlier than this (ms); absent: no upper limit
 * @param newest the time of the newest record; the slots end with the one that contains it
 * @param spans shortest slots first; of the shortest length, every slot up to the newest record has a sum
 * @returns `undefined` if no complete slot lies within the period
 */
export function spanPlan(
  { after = -1, before }: { after?: number; before?: number | undefined },
  newest: number,
  spans: readonly BuiltSpan[],
): SpanPlan | undefined {
  const shortest = spans[0]?.spanMs;
  if (shortest === undefined) return undefined;
  const from = Math.max(0, Math.floor(after / shortest) + 1) * shortest;
  // The slot of the newest record can be used as a whole, because there are no later records.
  const end = before === undefined || before > newest ? newest + shortest : before;
  const to = Math.floor(end / shortest) * shortest;
  if (from >= to) return undefined;
  return { ranges: [...cover(from, to, spans)], from, to };
}

/** Uses short slots up to the first longer one, then longer ones as far as they have sums, then short ones again. */
function* cover(from: number, to: number, [span, ...longer]: readonly BuiltSpan[]): Generator<SpanRange> {
  if (!span || from >= to) return;
  const { spanMs } = span;
  const [next] = longer;
  const low = next ? Math.ceil(from / next.spanMs) * next.spanMs : to;
  const high = next ? Math.min(Math.floor(to / next.spanMs), next.builtTo) * next.spanMs : to;
  if (low >= high) {
    yield { spanMs, from: from / spanMs, to: to / spanMs };
    return;
  }
  if (from < low) yield { spanMs, from: from / spanMs, to: low / spanMs };
  yield* cover(low, high, longer);
  if (high < to) yield { spanMs, from: high / spanMs, to: to / spanMs };
}
