import type { Row } from "../../sqlite/types.ts";
import { loopShare, nextLoopTurn } from "../base/loop-share.ts";
import type { ActivityFilter, ActivityRecord } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { intactActivityRecords } from "./activity-intact.ts";
import { fromActivityRow, type QueryAll, RECORD_COLUMNS, type RowPlace } from "./activity-row.ts";
import { isDamageFault } from "./disk-fault.ts";

/** Number of rows visited, and of records returned, before the loop yields. */
const WALK_WINDOW = 2000;
const WALK_SLICE = 200;
/** Number of index entries counted in one step, which takes a millisecond. */
const STEP = 20_000;

/** Returns the position before the newest record that may match a filter. */
export const newestPlace = ({ before }: ActivityFilter): RowPlace => [before ?? Number.POSITIVE_INFINITY, 0];

/**
 * Reads every match, newest first, in pieces. Records that are added meanwhile are not included.
 *
 * @param onSkipped called with the number of records that cannot be read because the database is damaged
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

/** A range of the matching records whose two ends are positions in the index of times. */
interface ActivityWindow {
  readonly condition: SqlCondition;
  /** Returns the condition for the part of the range that is older than a position. */
  older(than: RowPlace): SqlCondition;
}

/**
 * Divides the records that a filter may match into ranges of `size` records, newest first. Each range has exactly one
 * lower and one upper bound: with two lower bounds, SQLite may choose the older one and read all records back to it for
 * each range.
 *
 * @param start only records older than this position
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

/** Reads a record with its payload. */
export function getActivityRecord(all: QueryAll, id: string): ActivityRecord | undefined {
  const [row] = all(`select ${RECORD_COLUMNS} from activity left join activity_payload using (seq) where id = ?`, id);
  return row && fromActivityRow(row);
}

/** Counts all records in steps through the index of times. Counting a million records at once would take 30 ms. */
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

/**
 * Reads a page of records. The inner query finds the row numbers first, so that skipped rows are read without their
 * payload. `cross join` keeps SQLite from reordering the two steps.
 */
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

/** Returns the position `count` records before the given one. */
function placeAfter(all: QueryAll, [at, seq]: RowPlace, count: number): RowPlace | undefined {
  const [row] = all(
    "select at, seq from activity where (at, seq) < (?, ?) order by at desc, seq desc limit 1 offset ?",
    at,
    seq,
    count - 1,
  );
  return row && [row.at!, row.seq!];
}

/**
 * Restricts a condition to records older than `from` and, if `to` is given, not older than `to`; otherwise to records
 * later than `after`.
 */
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
