import type { Row } from "../../sqlite/types.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { ActivityFilter, ActivitySlot, ActivityTally, TallyBy } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { activityWindows } from "./activity-read.ts";
import type { QueryAll } from "./activity-row.ts";
import { type SpanPlan, type SumsReach, spanPlan } from "./activity-spans.ts";
import type { ActivitySums } from "./activity-sums.ts";
import { addDurations, addDurationsText } from "./durations.ts";
import { withoutNulls } from "./json-column.ts";
import { FIRST_SLICE, nextSliceSize } from "./slice-size.ts";

/** Number of records read before the loop yields. */
const WINDOW = 500;

/**
 * Counts every match in groups, without reading payloads. The same group may be returned several times. Complete hours
 * and days are counted by their sums, all else by the records.
 *
 * @param signal stops with the signal's reason after the current slice
 */
export async function* tallyActivity(
  all: QueryAll,
  sums: Pick<ActivitySums, "mutex" | "reach"> | undefined,
  filter: ActivityFilter,
  by: TallyBy,
  signal?: AbortSignal,
): AsyncGenerator<ActivityTally> {
  const durations = by.durations === true;
  const shape: Shape = {
    columns: `type, status, server_name, tool_name, ${NUMBERS}${durations ? ", group_concat(durations) as durations" : ""}`,
    groupBy: "type, status, server_name, tool_name",
  };
  for await (const { rows, isSummed } of counted(all, sums, filter, shape, signal))
    for (const row of rows) yield tallyOf(row, isSummed);
}

/**
 * Counts like `tallyActivity`, but by time slots of one length instead of server and tool, and only records that name a
 * server.
 */
export async function* tallyActivitySlots(
  all: QueryAll,
  sums: Pick<ActivitySums, "mutex" | "reach"> | undefined,
  filter: ActivityFilter,
  slotMs: number,
  signal?: AbortSignal,
): AsyncGenerator<ActivitySlot> {
  const shape: Shape = {
    columns: `status, cast(begin / ${slotMs} as integer) as slot, sum(count) as count, total(response_bytes) as response_bytes`,
    groupBy: "status, slot",
    where: "server_name is not null",
    slotMs,
  };
  for await (const { rows } of counted(all, sums, filter, shape, signal))
    for (const row of rows) yield row as unknown as ActivitySlot;
}

const NUMBERS = `sum(count) as count, max(last_at) as last_at,
  sum(sized_responses) as sized_responses, total(response_bytes) as response_bytes,
  sum(sized_requests) as sized_requests, total(request_bytes) as request_bytes`;

/**
 * What a query returns and groups by. The expressions use the columns of a sum and `begin`, the start of its time slot.
 */
interface Shape {
  readonly columns: string;
  readonly groupBy: string;
  readonly where?: string;
  readonly slotMs?: number;
}

interface Counted {
  readonly rows: Row[];
  readonly isSummed: boolean;
}

/** Selects a single record with the columns of a sum. */
const SINGLE = `type, status, server_name, tool_name, at as begin, at as last_at, 1 as count, duration_ms as durations,
  response_bytes is not null as sized_responses, response_bytes, request_bytes is not null as sized_requests, request_bytes`;

const single = (shape: Shape, condition: string, hint = "") =>
  `select ${shape.columns} from (select ${SINGLE} from activity ${hint} where ${condition}
    ${shape.where === undefined ? "" : `and ${shape.where}`}) group by ${shape.groupBy}`;

async function* counted(
  all: QueryAll,
  sums: Pick<ActivitySums, "mutex" | "reach"> | undefined,
  filter: ActivityFilter,
  shape: Shape,
  signal?: AbortSignal,
): AsyncGenerator<Counted> {
  if (!sums || !isSummable(filter)) return yield* byRecord(all, filter, shape, signal);
  const release = await sums.mutex.hold(signal);
  try {
    const summed = sums.reach(all);
    const plan = summed && planOf(all, filter, summed, shape.slotMs);
    if (plan) yield* bySums(all, filter, shape, { plan, summed }, signal);
    else yield* byRecord(all, filter, shape, signal);
  } finally {
    release();
  }
}

/** Members of a filter that can be applied to sums. */
const SUMMABLE = ["type", "status", "server", "tool", "user_id", "servers", "own", "after", "before"];

const isSummable = (filter: ActivityFilter) =>
  Object.entries(filter).every(([name, value]) => value === undefined || SUMMABLE.includes(name));

function planOf(
  all: QueryAll,
  { after, before }: ActivityFilter,
  summed: SumsReach,
  slotMs?: number,
): SpanPlan | undefined {
  if (summed.throughSeq === 0) return undefined;
  const newest = all("select max(at) as at from activity")[0]?.at;
  if (typeof newest !== "number") return undefined;
  const spans = summed.spans.filter(({ spanMs }) => slotMs === undefined || slotMs % spanMs === 0);
  return spanPlan({ after: Math.max(after ?? -1, summed.sweptAt), before }, newest, spans);
}

/** Counts by the records only, in ranges of the index of times. */
async function* byRecord(
  all: QueryAll,
  filter: ActivityFilter,
  shape: Shape,
  signal?: AbortSignal,
  throughSeq?: number,
): AsyncGenerator<Counted> {
  for (const { condition } of activityWindows(all, filter, WINDOW)) {
    signal?.throwIfAborted();
    const { sql, inputs } = condition;
    // The plus sign keeps SQLite from searching by number instead of by time.
    const [bound, through] = throughSeq === undefined ? ["", []] : [" and +seq <= ?", [throughSeq]];
    yield { rows: all(single(shape, sql + bound), ...inputs, ...through), isSummed: false };
    await nextLoopTurn();
  }
}

/**
 * Counts complete time slots by their sums; the ends of the period, and records that are not summed yet, one by one.
 */
async function* bySums(
  all: QueryAll,
  filter: ActivityFilter,
  shape: Shape,
  { plan, summed }: { plan: SpanPlan; summed: SumsReach },
  signal?: AbortSignal,
): AsyncGenerator<Counted> {
  const { after, before, ...rest } = filter;
  const groups = activityCondition(rest);
  let size = FIRST_SLICE;
  for (const { spanMs, ...range } of plan.ranges) {
    const end: SumKey = { slot: range.to, group: 0 };
    for (let from: SumKey = { slot: range.from, group: 0 }; from.slot < range.to; ) {
      signal?.throwIfAborted();
      const started = performance.now();
      const [next] = all(AT_SUM, spanMs, from.slot, from.group, end.slot, size);
      const to = next ? { slot: Number(next.slot), group: Number(next.group_id) } : end;
      yield { rows: sumsOf(all, groups, shape, { spanMs, from, to }), isSummed: true };
      // This includes the time that the caller took for the rows.
      size = nextSliceSize(size, performance.now() - started);
      from = to;
      await nextLoopTurn();
    }
  }
  const { throughSeq } = summed;
  yield* byRecord(all, { ...filter, before: Math.min(before ?? plan.from, plan.from) }, shape, signal, throughSeq);
  if (before !== undefined && before > plan.to)
    yield* byRecord(all, { ...filter, after: Math.max(after ?? -1, plan.to - 1) }, shape, signal, throughSeq);
  yield* beyond(all, filter, shape, throughSeq, signal);
}

/** A position in the order of the sums of one span. */
interface SumKey {
  readonly slot: number;
  readonly group: number;
}

const AT_SUM = `select slot, group_id from activity_sums
  where span_ms = ? and (slot, group_id) >= (?, ?) and slot < ? order by slot, group_id limit 1 offset ?`;

/** Sums from the position `from` until before the position `to`. */
interface SumRange {
  readonly spanMs: number;
  readonly from: SumKey;
  readonly to: SumKey;
}

function sumsOf(all: QueryAll, { sql, inputs }: SqlCondition, shape: Shape, { spanMs, from, to }: SumRange): Row[] {
  const terms = [sql, ...(shape.where === undefined ? [] : [shape.where])].join(" and ");
  return all(
    `select ${shape.columns} from (
      select *, slot * ${spanMs} as begin from activity_sums join activity_groups on id = group_id
      where span_ms = ${spanMs} and (slot, group_id) >= (?, ?) and (slot, group_id) < (?, ?) and ${terms})
      group by ${shape.groupBy}`,
    from.slot,
    from.group,
    to.slot,
    to.group,
    ...inputs,
  );
}

/** Counts the records that the sums do not include yet, in the order of the table. */
async function* beyond(
  all: QueryAll,
  filter: ActivityFilter,
  shape: Shape,
  throughSeq: number,
  signal?: AbortSignal,
): AsyncGenerator<Counted> {
  const { sql, inputs } = activityCondition(filter);
  const last = Number(all("select max(seq) as seq from activity")[0]?.seq ?? 0);
  const counting = single(shape, `${sql} and seq > ? and seq <= ?`, "not indexed");
  for (let from = throughSeq; from < last; from += WINDOW) {
    signal?.throwIfAborted();
    yield { rows: all(counting, ...inputs, from, Math.min(last, from + WINDOW)), isSummed: false };
    await nextLoopTurn();
  }
}

function tallyOf(row: Row, isSummed: boolean): ActivityTally {
  const { durations: text, ...rest } = row;
  const group = withoutNulls(rest) as unknown as ActivityTally;
  if (typeof text !== "string") return group;
  const durations = new Map<number, number>();
  if (isSummed) addDurationsText(durations, text);
  else addDurations(durations, text.split(",").map(Number));
  return { ...group, durations };
}
