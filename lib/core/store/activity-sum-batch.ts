import type { Row, SqlInput } from "../../sqlite/types.ts";
import { HEAD, type QueryAll } from "./activity-row.ts";
import { ACTIVITY_SPANS } from "./activity-spans.ts";
import { addDurations } from "./durations.ts";

/**
 * Number of records whose sums are written together. With a larger number each record costs less, but counts have to
 * read more records one by one.
 */
export const WORTHWHILE = 4000;
/** Maximum number of sums written in one transaction; each takes about 30 µs. */
const MAX_WRITTEN = 250;

/** Rows of the table `activity`, without their payload, in the order of its columns. */
export type RecordHeads = readonly (readonly SqlInput[])[];

/** The columns that identify a group of records, and the time of the group's newest record (ms). */
export interface GroupNames {
  readonly names: readonly SqlInput[];
  lastAt: number;
}

/** Sums of consecutive records, collected in memory until they are written in one transaction. */
export interface ActivitySumBatch {
  /** The number of removals so far, as of the first record of the batch. */
  readonly removals: number;
  /** The batch starts after the record `fromSeq` and ends with the record `throughSeq`. */
  readonly fromSeq: number;
  throughSeq: number;
  count: number;
  readonly groups: Map<string, GroupNames>;
  readonly sums: Map<string, Sum>;
}

interface Sum {
  /** Hours since the epoch. */
  readonly hour: number;
  /** Key of the group that the sum belongs to. */
  readonly group: string;
  /** The summed values, in the order of `SUM_COLUMNS`. */
  readonly numbers: number[];
  readonly durations: Map<number, number>;
}

/** Makes an empty batch that starts after the record `seq`. */
export const newActivitySumBatch = (removals: number, seq: number): ActivitySumBatch => ({
  removals,
  fromSeq: seq,
  throughSeq: seq,
  count: 0,
  groups: new Map(),
  sums: new Map(),
});

/** True if the batch must be written before more records are added. */
export const isFullBatch = ({ count, sums }: ActivitySumBatch) => count >= WORTHWHILE || sums.size >= MAX_WRITTEN;

/**
 * Reads the records that follow a batch and adds them to it.
 *
 * @param upTo number of the last record to read
 * @param limit maximum number of records to read
 * @returns the number of records read
 */
export function readIntoBatch(batch: ActivitySumBatch, all: QueryAll, upTo: number, limit: number): number {
  if (batch.throughSeq >= upTo) return 0;
  return gatherRows(batch, all(SUMMING, batch.throughSeq, upTo, limit));
}

/** Adds rows of `SUMMING` to a batch. @returns the number of records that the rows sum up */
function gatherRows(batch: ActivitySumBatch, rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) {
    const names = GROUP_COLUMNS.map((column) => row[column] ?? null);
    const at = Number(row.last_at);
    const { numbers, durations } = sumOf(batch, names, at);
    for (const [i, column] of SUM_COLUMNS.entries())
      numbers[i] = column === "last_at" ? Math.max(numbers[i]!, at) : numbers[i]! + Number(row[column]);
    if (typeof row.durations === "string") addDurations(durations, row.durations.split(",").map(Number));
    count += Number(row.count);
    batch.throughSeq = Math.max(batch.throughSeq, Number(row.seq));
  }
  batch.count += count;
  return count;
}

/**
 * Adds rows that are being written to a batch. The result is the same as with `SUMMING` and `gatherRows` for stored
 * rows.
 */
export function gatherHeads(batch: ActivitySumBatch, heads: RecordHeads): void {
  let previous: readonly SqlInput[] | undefined;
  let sum: Sum | undefined;
  for (const head of heads) {
    const at = head[PLACE.at] as number;
    // Calls of one tool often follow each other; then the key of their sum need not be made again.
    if (!sum || !previous || sum.hour !== Math.floor(at / HOUR) || !isSameGroup(previous, head)) {
      const names = GROUP_PLACES.map((place) => head[place] ?? null);
      if (head[PLACE.server_name] !== null) names[ACTOR] = null;
      sum = sumOf(batch, names, at);
      previous = head;
    }
    const group = batch.groups.get(sum.group)!;
    group.lastAt = Math.max(group.lastAt, at);
    const { numbers, durations } = sum;
    numbers[0]!++;
    numbers[1] = Math.max(numbers[1]!, at);
    addSize(numbers, 2, head[PLACE.request_bytes]);
    addSize(numbers, 4, head[PLACE.response_bytes]);
    const ms = head[PLACE.duration_ms];
    if (typeof ms === "number") addDurations(durations, [ms]);
  }
  batch.count += heads.length;
}

function isSameGroup(a: readonly SqlInput[], b: readonly SqlInput[]): boolean {
  for (const place of GROUP_PLACES) if (a[place] !== b[place]) return false;
  return true;
}

function addSize(numbers: number[], place: number, size: SqlInput | undefined): void {
  if (typeof size !== "number") return;
  numbers[place]!++;
  numbers[place + 1]! += size;
}

/** Returns the sum of a group in the hour of `at`; makes it if there is none. */
function sumOf(batch: ActivitySumBatch, names: readonly SqlInput[], at: number): Sum {
  const group = JSON.stringify(names);
  const named = batch.groups.get(group);
  if (!named) batch.groups.set(group, { names, lastAt: at });
  else if (at > named.lastAt) named.lastAt = at;
  const hour = Math.floor(at / HOUR);
  const key = `${hour} ${group}`;
  let sum = batch.sums.get(key);
  if (!sum) {
    sum = { hour, group, numbers: SUM_COLUMNS.map(() => 0), durations: new Map() };
    batch.sums.set(key, sum);
  }
  return sum;
}

/**
 * The columns that form the key of a sum. The caller's name is part of it only for records without a server, because
 * only for those it decides which callers may see them.
 */
export const GROUP_COLUMNS = ["type", "status", "server_name", "tool_name", "user_id", "actor"] as const;
export const SUM_COLUMNS = [
  "count",
  "last_at",
  "sized_requests",
  "request_bytes",
  "sized_responses",
  "response_bytes",
] as const;

const [HOUR] = ACTIVITY_SPANS;

/** Positions of the columns in the head of a record. */
const PLACE = Object.fromEntries(HEAD.map((column, i) => [column, i])) as Record<(typeof HEAD)[number], number>;
const GROUP_PLACES = GROUP_COLUMNS.map((column) => PLACE[column]);
const ACTOR = GROUP_COLUMNS.indexOf("actor");

const SUMMING = `
  select type, status, server_name, tool_name, user_id, case when server_name is null then actor end as actor,
    count(*) as count, max(at) as last_at, max(seq) as seq,
    count(request_bytes) as sized_requests, total(request_bytes) as request_bytes,
    count(response_bytes) as sized_responses, total(response_bytes) as response_bytes,
    group_concat(duration_ms) as durations
  from (select * from activity where seq > ? and seq <= ? order by seq limit ?)
  group by cast(at / ${ACTIVITY_SPANS[0]} as integer), 1, 2, 3, 4, 5, 6`;
