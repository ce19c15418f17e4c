import type { Row } from "../../sqlite/types.ts";
import { loopShare } from "../base/loop-share.ts";
import type { ActivityMark, FollowedActivity } from "../schema/activity.ts";
import { fromActivityRow, type QueryAll, RECORD_COLUMNS } from "./activity-row.ts";

/** The mark before the first record that is ever added. */
const START: ActivityMark = { seq: 0, id: "" };
/** Number of records that are read without a pause. */
const SLICE = 20;
/** Size of the texts of one page, after which it ends. (characters) */
const MAX_CHARACTERS = 1024 * 1024;

/** Returns the mark of the newest record. */
export function newestActivityMark(all: QueryAll): ActivityMark {
  const [row] = all("select seq, id from activity order by seq desc limit 1");
  return row ? { seq: row.seq as number, id: row.id as string } : START;
}

/** Returns about how many records follow a mark. */
export function countAfterMark(all: QueryAll, after: ActivityMark): number {
  const { seq } = newestActivityMark(all);
  // With a smaller number, the table was emptied since the mark was made.
  return seq < after.seq ? seq : seq - after.seq;
}

/**
 * Reads records in the order in which they were added, in slices between which other work can run.
 *
 * Numbers of records begin at 1 again after the removal of all records. Such a mark is recognised, because the record
 * with its number has another id or all numbers are smaller.
 */
export async function followActivity(
  all: QueryAll,
  after: ActivityMark,
  limit: number,
  signal?: AbortSignal,
): Promise<FollowedActivity[]> {
  const pause = loopShare();
  const from = isReused(all, after) ? START : after;
  const records: FollowedActivity[] = [];
  let [last, characters] = [from.seq, 0];
  while (records.length < limit && characters < MAX_CHARACTERS) {
    const rows = readSlice(all, last, Math.min(SLICE, limit - records.length));
    for (const row of rows) {
      const seq = row.seq as number;
      // The mark of an empty table is no record, so nothing is missing before the first number.
      const missing = last === 0 ? 0 : seq - last - 1;
      last = seq;
      characters += sizeOf(row);
      records.push({ record: fromActivityRow(row), mark: { seq, id: row.id as string }, missing });
      if (characters >= MAX_CHARACTERS) break;
    }
    if (rows.length < SLICE) break;
    await pause();
    signal?.throwIfAborted();
  }
  return records;
}

function isReused(all: QueryAll, { seq, id }: ActivityMark): boolean {
  if (seq === 0) return false;
  const [row] = all("select id from activity where seq = ?", seq);
  return row ? row.id !== id : newestActivityMark(all).seq < seq;
}

function readSlice(all: QueryAll, after: number, limit: number): Row[] {
  return all(
    `select ${RECORD_COLUMNS} from activity left join activity_payload using (seq)
      where seq > ? order by seq limit ?`,
    after,
    limit,
  );
}

function sizeOf(row: Row): number {
  let size = 200;
  for (const text of [row.arguments, row.response, row.metadata]) if (typeof text === "string") size += text.length;
  return size;
}
