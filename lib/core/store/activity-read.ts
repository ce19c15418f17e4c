import type { Row } from "../../sqlite/types.ts";
import { loopShare, nextLoopTurn } from "../base/loop-share.ts";
import type { ActivityFilter, ActivityRecord } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { intactActivityRecords } from "./activity-intact.ts";
import { fromActivityRow, type QueryAll, RECORD_COLUMNS, type RowPlace } from "./activity-row.ts";
import { isDamageFault } from "./disk-fault.ts";

/** Nobody pages beyond; counting stops there. */
const COUNTED = 100_000;
/** Reading a row through the index of times costs six times what it costs in the order of the table. */
const INDEX_COST = 6;
/** Rows looked at, and records answered, before others have a turn. */
const WALK_WINDOW = 2000;
const WALK_SLICE = 200;
/** Places of the index counted in one piece: a millisecond. */
const STEP = 20_000;

/** As `select`, at once: for the newest few, where nothing else waits. */
export function readActivityPage(all: QueryAll, filter: ActivityFilter, limit: number, offset: number) {
  const condition = activityCondition(filter);
  const total = count(all, condition);
  if (total <= offset) return { records: [], total };
  // Where matches are many the index ends the search soon; where they are few it only makes reading dearer.
  const few = !condition.timeOnly && total < INDEX_COST * (offset + limit);
  return { records: readActivityRows(all, condition, few ? "+at" : "at", limit, offset).map(fromActivityRow), total };
}

/** Before the newest record that a filter is about. */
export const newestPlace = ({ before }: ActivityFilter): RowPlace => [before ?? Number.POSITIVE_INFINITY, 0];

/**
 * Every match, newest first, a piece at a time. What is added meanwhile is not seen.
 *
 * @param onSkipped told of records that cannot be read, because the database is damaged where they stand
 */
export async function* walkActivity(
  all: QueryAll,
  filter: ActivityFilter,
  onSkipped: (count: number) => void = () => {},
): AsyncGenerator<ActivityRecord> {
  let from = newestPlace(filter);
  try {
    for (const { condition, older } of activityWindows(all, filter, WALK_WINDOW)) {
      for (let wanted = condition; ; ) {
        const rows = readActivityRows(all, wanted, "at", WALK_SLICE, 0);
        const last = rows.at(-1);
        if (last) from = [last.at!, last.seq!];
        yield* rows.map(fromActivityRow);
        await nextLoopTurn();
        if (rows.length < WALK_SLICE) break;
        wanted = older(from);
      }
    }
    return;
  } catch (error) {
    if (!isDamageFault(error)) throw error;
  }
  for (const batch of intactActivityRecords(all, filter, from)) {
    for (const one of batch) if (typeof one === "object") yield one;
    const skipped = batch.filter((one) => one === "unreadable").length;
    if (skipped > 0) onSkipped(skipped);
    await nextLoopTurn();
  }
}

/** A part of the records that a filter is about, with both ends bounded by the index of times. */
interface ActivityWindow {
  readonly condition: SqlCondition;
  /** The rest of the same window: what is older than a place. */
  older(than: RowPlace): SqlCondition;
}

/**
 * The records that a filter is about in windows of `size` records, newest first, matching or not. Each window has one
 * lower and one upper bound: with two lower bounds SQLite may search by the lower of them and read to the begin of the
 * period for each window.
 *
 * @param start only what is older than this place
 */
export function* activityWindows(
  all: QueryAll,
  filter: ActivityFilter,
  size: number,
  start?: RowPlace,
): Generator<ActivityWindow> {
  const { after, before, ...rest } = filter;
  const matching = activityCondition(rest);
  let from: RowPlace | undefined = start ?? [before ?? Number.POSITIVE_INFINITY, 0];
  while (from) {
    const oldest = placeAfter(all, from, size);
    const to: RowPlace | undefined =
      oldest && (after === undefined || (oldest[0] as number) > after) ? oldest : undefined;
    const older = (than: RowPlace) => between(matching, than, to, after);
    yield { condition: older(from), older };
    from = to;
  }
}

export function getActivityRecord(all: QueryAll, id: string): ActivityRecord | undefined {
  const [row] = all(`select ${RECORD_COLUMNS} from activity left join activity_payload using (seq) where id = ?`, id);
  return row && fromActivityRow(row);
}

function count(all: QueryAll, { sql, inputs }: SqlCondition): number {
  const counting =
    inputs.length === 0
      ? // Only in this form does SQLite count whole pages of the index.
        "select count(*) as n from activity"
      : `select count(*) as n from (select 1 from activity where ${sql} limit ${COUNTED})`;
  return Math.min(COUNTED, all(counting, ...inputs)[0]!.n as number);
}

/** Every record, by steps through the index of times alone: a million in one go would take 30 ms. */
export async function countActivityRecords(all: QueryAll, signal?: AbortSignal): Promise<number> {
  const pause = loopShare();
  let from = newestPlace({});
  for (let total = 0; ; total += STEP) {
    const next = placeAfter(all, from, STEP);
    if (!next)
      return total + (all(`select count(*) as n from activity where (at, seq) < (?, ?)`, ...from)[0]!.n as number);
    from = next;
    await pause();
    signal?.throwIfAborted();
  }
}

/** A page in that order: the places first and then the records there, so that an offset reads no payloads; `cross` keeps that order. */
export function readActivityRows(
  all: QueryAll,
  { sql, inputs }: SqlCondition,
  by: "at" | "+at",
  limit: number,
  offset: number,
): Row[] {
  return all(
    `select ${RECORD_COLUMNS} from
      (select seq from activity where ${sql} order by ${by} desc, seq desc limit ? offset ?) as found
      cross join activity using (seq) left join activity_payload using (seq)
      order by at desc, activity.seq desc`,
    ...inputs,
    limit,
    offset,
  );
}

/** The place of the `count`th record that is older. */
function placeAfter(all: QueryAll, [at, seq]: RowPlace, count: number): RowPlace | undefined {
  const [row] = all(
    "select at, seq from activity where (at, seq) < (?, ?) order by at desc, seq desc limit 1 offset ?",
    at,
    seq,
    count - 1,
  );
  return row && [row.at!, row.seq!];
}

/** Older than `from`, down to and with `to`, or else later than `after`. */
function between(
  { sql, inputs, timeOnly }: SqlCondition,
  from: RowPlace,
  to: RowPlace | undefined,
  after?: number,
): SqlCondition {
  const upper = `${sql} and (at, seq) < (?, ?)`;
  if (to) return { sql: `${upper} and (at, seq) >= (?, ?)`, inputs: [...inputs, ...from, ...to], timeOnly };
  if (after === undefined) return { sql: upper, inputs: [...inputs, ...from], timeOnly };
  return { sql: `${upper} and at > ?`, inputs: [...inputs, ...from, after], timeOnly };
}
