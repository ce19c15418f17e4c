import type { QueryAll } from "./activity-row.ts";

const HOUR_MS = 3_600_000;

/** Lengths of the pieces of time that have sums (ms): an hour, a day, sixteen days. */
export const ACTIVITY_SPANS = [HOUR_MS, 24 * HOUR_MS, 16 * 24 * HOUR_MS] as const;

/** Pieces of one length that lie side by side: `from` is the number of the first, counted from the epoch, `to` follows the last. */
export interface SpanRange {
  readonly spanMs: number;
  readonly from: number;
  readonly to: number;
}

/** A period as whole pieces of time, and what is left over at its ends. */
export interface SpanPlan {
  readonly ranges: readonly SpanRange[];
  /** The whole pieces together: at or after `from`, before `to` (ms). */
  readonly from: number;
  readonly to: number;
}

/** What is known of the pieces of one length. */
interface BuiltSpan {
  readonly spanMs: number;
  /** Only pieces before this one have sums. */
  readonly builtTo: number;
}

/** How far the sums reach. */
export interface SumsReach {
  /** Records up to this number are in the sums. */
  readonly throughSeq: number;
  /** Records up to this time (ms) were removed: a piece of time that begins at or before it has no sum. */
  readonly sweptAt: number;
  /** The shortest first. */
  readonly spans: readonly BuiltSpan[];
}

/** Where `activity_summed` says up to which piece of each length there are sums; hours are always summed. */
export const BUILT_TO = [undefined, "days_to", "long_to"] as const;

/** How far the sums reach; `undefined` where that cannot be read. */
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
 * Covers as much of a period as possible with as few whole pieces as possible.
 *
 * @param after only what is later (ms); nothing stands for the beginning of time
 * @param before only what is earlier (ms); nothing stands for its end
 * @param newest the time of the newest record: pieces reach no further than needed for it
 * @param spans the shortest first; of the shortest, each piece up to the newest has a sum
 * @returns `undefined` where no whole piece lies within the period
 */
export function spanPlan(
  { after = -1, before }: { after?: number; before?: number | undefined },
  newest: number,
  spans: readonly BuiltSpan[],
): SpanPlan | undefined {
  const shortest = spans[0]?.spanMs;
  if (shortest === undefined) return undefined;
  const from = Math.max(0, Math.floor(after / shortest) + 1) * shortest;
  // The hour of the newest record is whole: what is later than it is in no sum.
  const end = before === undefined || before > newest ? newest + shortest : before;
  const to = Math.floor(end / shortest) * shortest;
  if (from >= to) return undefined;
  return { ranges: [...cover(from, to, spans)], from, to };
}

/** Short pieces up to where a longer one begins, longer ones as far as they go, and short ones for the rest. */
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
