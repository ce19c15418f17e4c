import type { Row } from "../../sqlite/types.ts";
import { loopShare } from "../base/loop-share.ts";
import type { ActivityFilter, ActivityPage, ActivityPlace, ActivityRecord } from "../schema/activity.ts";
import { activityCondition, type SqlCondition } from "./activity-condition.ts";
import { intactActivityRecords } from "./activity-intact.ts";
import { activityWindows, countActivityRecords, newestPlace, readActivityRows } from "./activity-read.ts";
import type { QueryAll, RowPlace } from "./activity-row.ts";
import { fromActivityRow, RECORD_COLUMNS } from "./activity-row.ts";
import { isDamageFault } from "./disk-fault.ts";

/** Counting stops at this number if the filter makes counting slow. */
const COUNTED = 100_000;
/** Number of rows visited in one piece. */
const WINDOW = 2000;
/**
 * Up to this number of matches, their positions are remembered while they are counted, so that the page need not be
 * searched again.
 */
const FEW = 1000;

/**
 * Reads one page, newest first, and counts the matches. Yields to the event loop between slices, however many rows it
 * visits.
 *
 * @param signal stops the search with the signal's reason
 */
export async function selectActivity(
  all: QueryAll,
  filter: ActivityFilter,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<ActivityPage> {
  try {
    return await selectWhole(all, filter, wanted, signal);
  } catch (error) {
    if (!isDamageFault(error)) throw error;
    return await selectIntact(all, filter, wanted, signal);
  }
}

interface Wanted {
  limit: number;
  offset?: number;
  after?: ActivityPlace;
}

/** Maximum number of row numbers that are tried for one page of a damaged database. */
const INTACT_LOOKED_AT = 5000;

/** Reads one page of what is readable in a damaged database. */
async function selectIntact(
  all: QueryAll,
  filter: ActivityFilter,
  { limit, offset = 0, after }: Wanted,
  signal: AbortSignal | undefined,
): Promise<ActivityPage> {
  const found: ActivityRecord[] = [];
  let looked = 0;
  const pause = loopShare();
  for (const batch of intactActivityRecords(all, filter, after ? placeOf(all, after) : newestPlace(filter))) {
    for (const one of batch) if (typeof one === "object") found.push(one);
    looked += batch.length;
    if (looked >= INTACT_LOOKED_AT) break;
    await pause();
    signal?.throwIfAborted();
  }
  const isCapped = looked >= INTACT_LOOKED_AT;
  return { records: found.slice(offset, offset + limit), total: found.length, isCapped };
}

async function selectWhole(
  all: QueryAll,
  filter: ActivityFilter,
  { limit, offset = 0, after }: Wanted,
  signal: AbortSignal | undefined,
): Promise<ActivityPage> {
  const from = after && placeOf(all, after);
  const { total, isCapped, few } = await count(all, filter, signal);
  const found = few
    ? byPlace(
        all,
        few
          .filter((place) => !from || isOlder(place, from))
          .sort(newestFirst)
          .slice(offset, offset + limit),
      )
    : await pageOf(all, filter, { limit, offset, from }, signal);
  return { records: found, total, isCapped };
}

/** Returns the position of a record; if the record was removed, the position before all records of its time. */
function placeOf(all: QueryAll, { at, id }: ActivityPlace): RowPlace {
  return [at, all("select seq from activity where id = ? and at = ?", id, at)[0]?.seq ?? 0];
}

interface Counted {
  total: number;
  isCapped: boolean;
  /** The positions of all matches, if there are few. */
  few?: RowPlace[];
}

async function count(all: QueryAll, filter: ActivityFilter, signal: AbortSignal | undefined): Promise<Counted> {
  if (activityCondition(filter).inputs.length === 0 && filter.sensitive === undefined)
    return { total: await countActivityRecords(all, signal), isCapped: false };
  const pause = loopShare();
  let few: RowPlace[] | undefined = [];
  let total = 0;
  for (const condition of pieces(all, filter)) {
    if (few) {
      const rows: Row[] = all(`select at, seq from activity where ${condition.sql}`, ...condition.inputs);
      total += rows.length;
      for (const { at, seq } of rows) few.push([at!, seq!]);
      if (few.length > FEW) few = undefined;
    } else total += countOf(all, condition);
    if (total >= COUNTED) return { total: COUNTED, isCapped: true };
    await pause();
    signal?.throwIfAborted();
  }
  return { total, isCapped: false, ...(few && { few }) };
}

/**
 * Divides a search into pieces: by time if the filter names a time, otherwise in the order of the table, which takes a
 * sixth of the time.
 */
function* pieces(all: QueryAll, filter: ActivityFilter): Generator<SqlCondition> {
  if (filter.after !== undefined || filter.before !== undefined) {
    for (const { condition } of activityWindows(all, filter, WINDOW)) yield condition;
    return;
  }
  const { sql, inputs, timeOnly } = activityCondition(filter);
  // Two subqueries are fast; `min` and `max` in one query would scan the whole table.
  const [{ first, last }] = all(
    "select (select min(seq) from activity) as first, (select max(seq) from activity) as last",
  ) as [{ first: number | null; last: number | null }];
  for (let at = first ?? 0; at <= (last ?? -1); at += WINDOW)
    yield { sql: `${sql} and seq >= ? and seq < ?`, inputs: [...inputs, at, at + WINDOW], timeOnly };
}

async function pageOf(
  all: QueryAll,
  filter: ActivityFilter,
  { limit, offset, from }: { limit: number; offset: number; from: RowPlace | undefined },
  signal: AbortSignal | undefined,
): Promise<ActivityRecord[]> {
  const found: Row[] = [];
  const pause = loopShare();
  let skip = offset;
  for (const { condition } of activityWindows(all, filter, WINDOW, from)) {
    const here = skip > 0 ? countOf(all, condition) : undefined;
    if (here !== undefined && here <= skip) skip -= here;
    else {
      found.push(...readActivityRows(all, condition, "at", limit - found.length, skip));
      skip = 0;
    }
    if (found.length >= limit) break;
    await pause();
    signal?.throwIfAborted();
  }
  return found.map(fromActivityRow);
}

function countOf(all: QueryAll, { sql, inputs }: SqlCondition): number {
  return all(`select count(*) as n from activity where ${sql}`, ...inputs)[0]!.n as number;
}

function byPlace(all: QueryAll, places: readonly RowPlace[]): ActivityRecord[] {
  const rows = all(
    `select ${RECORD_COLUMNS} from activity left join activity_payload using (seq)
      where seq in (select value from json_each(?)) order by at desc, activity.seq desc`,
    JSON.stringify(places.map(([, seq]) => seq)),
  );
  return rows.map(fromActivityRow);
}

const isOlder = ([at, seq]: RowPlace, [thanAt, thanSeq]: RowPlace) =>
  at! < thanAt! || (at === thanAt && seq! < thanSeq!);
const newestFirst = (a: RowPlace, b: RowPlace) => (isOlder(a, b) ? 1 : -1);
