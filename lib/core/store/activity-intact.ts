import type { Row } from "../../sqlite/types.ts";
import type { ActivityFilter, ActivityRecord } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { fromActivityRow, HEAD_RECORD_COLUMNS, type QueryAll, RECORD_COLUMNS, type RowPlace } from "./activity-row.ts";
import { isDamageFault } from "./disk-fault.ts";

/** The content of one row position of a damaged table. */
type RecoveredRecord = ActivityRecord | "none" | "unreadable";

/** Records tried before the loop yields. */
const BATCH = 100;

/**
 * The records of a damaged database that can be read, one at a time so that none hides another, newest first as far as the
 * index of times is readable. A record whose content alone is damaged comes with `metadata: {"damaged": true}`.
 *
 * @param from where to begin
 * @returns the places of one batch at a time: what was found there
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

/** By the index of times, and by number from where that cannot be read. */
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
