import type { Row } from "../../sqlite/types.ts";
import type { ActivityFilter, ActivityRecord } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { fromActivityRow, HEAD_RECORD_COLUMNS, type QueryAll, RECORD_COLUMNS, type RowPlace } from "./activity-row.ts";
import { isDamageFault } from "./disk-fault.ts";

/** What was found at one row number of a damaged table. */
type RecoveredRecord = ActivityRecord | "none" | "unreadable";

/** Number of records that are tried before the loop yields. */
const BATCH = 100;

/**
 * Reads the readable records of a damaged database, one at a time so that one damaged record does not hide another.
 * They come newest first as far as the index of times is readable. If only the content of a record is damaged, the
 * record has `metadata: {"damaged": true}`.
 *
 * @param from only records older than this position
 * @returns one batch of row numbers at a time: what was found at each
 */
export function* intactActivityRecords(
  all: QueryAll,
  filter: ActivityFilter,
  from: RowPlace,
): Generator<RecoveredRecord[]> {
  const matching = activityCondition(filter);
  for (const batch of batches(all, from)) yield batch.map((seq) => recordAt(all, seq, matching));
}

function recordAt(all: QueryAll, seq: number, { sql, inputs }: SqlCondition): RecoveredRecord {
  const read = (columns: string, table: string): Row | undefined =>
    all(`select ${columns} from ${table} where activity.seq = ? and ${sql}`, seq, ...inputs)[0];
  try {
    const row = attempt(() => read(RECORD_COLUMNS, "activity left join activity_payload using (seq)"));
    const found = row === DAMAGED ? read(HEAD_RECORD_COLUMNS, "activity") : row;
    return found ? fromActivityRow(found) : "none";
  } catch (error) {
    if (isDamageFault(error)) return "unreadable";
    throw error;
  }
}

/** Lists row numbers by the index of times and, where that is damaged, in descending order. */
function* batches(all: QueryAll, from: RowPlace): Generator<number[]> {
  const seen = new Set<number>();
  for (let place = from; ; ) {
    const rows = attempt(() => all(PLACES, ...place, BATCH));
    if (rows === DAMAGED) break;
    const last = rows.at(-1);
    if (!last) return;
    const numbers = rows.map(({ seq }) => Number(seq));
    for (const seq of numbers) seen.add(seq);
    yield numbers;
    place = [last.at!, last.seq!];
  }
  const newest = Number(all("select max(seq) as seq from activity")[0]?.seq ?? 0);
  const oldest = attempt(() => Number(all("select min(seq) as seq from activity")[0]?.seq ?? 1));
  for (let high = newest; high >= (oldest === DAMAGED ? 1 : oldest); high -= BATCH)
    yield Array.from({ length: BATCH }, (_, i) => high - i).filter((seq) => seq > 0 && !seen.has(seq));
}

const PLACES = "select at, seq from activity where (at, seq) < (?, ?) order by at desc, seq desc limit ?";
const DAMAGED = Symbol("damaged");

function attempt<T>(act: () => T): T | typeof DAMAGED {
  try {
    return act();
  } catch (error) {
    if (isDamageFault(error)) return DAMAGED;
    throw error;
  }
}
