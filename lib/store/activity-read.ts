import type { ActivityFilter, ActivityRecord } from "../shape/activity.ts";
import { activityCondition, type Condition } from "./activity-filter.ts";
import { fromRow, RECORD } from "./activity-row.ts";
import type { Row, SqlInput } from "./sqlite/types.ts";

export type All = (sql: string, ...inputs: SqlInput[]) => Row[];
/** Of a record in the order of time, and among equals of writing. */
export type Place = readonly [at: SqlInput, seq: SqlInput];

/** Nobody pages beyond; counting stops there. */
const COUNTED = 100_000;
/** Reading a row through the index of times costs six times what it costs in the order of the table. */
const INDEX_COST = 6;
/** Rows looked at, and records answered, before others have a turn. */
const WALK_WINDOW = 2000;
const WALK_SLICE = 200;

/** One page, newest first, and how many there are. */
export function page(all: All, filter: ActivityFilter, limit: number, offset: number) {
  const condition = activityCondition(filter);
  const total = count(all, condition);
  if (total <= offset) return { records: [], total };
  // Where matches are many the index ends the search soon; where they are few it only makes reading dearer.
  const few = !condition.timeOnly && total < INDEX_COST * (offset + limit);
  return { records: records(all, condition, few ? "+at" : "at", limit, offset).map(fromRow), total };
}

/** Every match, newest first, a piece at a time. What is added meanwhile is not seen. */
export async function* walk(all: All, filter: ActivityFilter): AsyncGenerator<ActivityRecord> {
  const condition = activityCondition(filter);
  let from: Place | undefined = [filter.before ?? Number.POSITIVE_INFINITY, 0];
  while (from) {
    const to = placeAfter(all, from, WALK_WINDOW);
    for (;;) {
      const rows = records(all, within(condition, from, to), "at", WALK_SLICE, 0);
      yield* rows.map(fromRow);
      await new Promise((done) => setImmediate(done));
      if (rows.length < WALK_SLICE) break;
      from = [rows.at(-1)!.at!, rows.at(-1)!.seq!];
    }
    from = to;
  }
}

export function get(all: All, id: string): ActivityRecord | undefined {
  const [row] = all(`select ${RECORD} from activity left join activity_payload using (seq) where id = ?`, id);
  return row && fromRow(row);
}

function count(all: All, { sql, inputs }: Condition): number {
  const counting =
    inputs.length === 0
      ? // Only in this form does SQLite count whole pages of the index.
        "select count(*) as n from activity"
      : `select count(*) as n from (select 1 from activity where ${sql} limit ${COUNTED})`;
  return Math.min(COUNTED, all(counting, ...inputs)[0]!.n as number);
}

/** The places first and then the records there, so that an offset reads no payloads; `cross` keeps that order. */
function records(all: All, { sql, inputs }: Condition, by: "at" | "+at", limit: number, offset: number): Row[] {
  return all(
    `select ${RECORD} from
      (select seq from activity where ${sql} order by ${by} desc, seq desc limit ? offset ?) as found
      cross join activity using (seq) left join activity_payload using (seq)
      order by at desc, activity.seq desc`,
    ...inputs,
    limit,
    offset,
  );
}

/** The place of the `count`th record that is older. */
export function placeAfter(all: All, [at, seq]: Place, count: number): Place | undefined {
  const [row] = all(
    "select at, seq from activity where (at, seq) < (?, ?) order by at desc, seq desc limit 1 offset ?",
    at,
    seq,
    count - 1,
  );
  return row && [row.at!, row.seq!];
}

/** Older than `from`, down to and with `to`. */
export function within({ sql, inputs, timeOnly }: Condition, from: Place, to: Place | undefined): Condition {
  return to
    ? { sql: `${sql} and (at, seq) < (?, ?) and (at, seq) >= (?, ?)`, inputs: [...inputs, ...from, ...to], timeOnly }
    : { sql: `${sql} and (at, seq) < (?, ?)`, inputs: [...inputs, ...from], timeOnly };
}
