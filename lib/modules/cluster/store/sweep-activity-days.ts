import type { Sql } from "../connection.ts";
import { type Database, sqlState } from "../database.ts";
import { markSwept } from "./shared-activity-sums.ts";

/** What may stay: no record older than `before` (ms), a number of records, a size in bytes; 0: no limit. */
interface ActivityLimits {
  readonly before: number;
  readonly maxRecords: number;
  readonly maxBytes: number;
}

interface DayPartition {
  readonly name: string;
  /** Start of the day (ms). */
  readonly from: number;
  readonly records: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
/** Counting reads every record. (ms) */
const COUNT_TIMEOUT_MS = 120_000;
/** A partition that others use is dropped by the next sweep, so that nobody waits for long. */
const LOCK_TIMEOUT = "1s";
const LOCK_NOT_AVAILABLE = "55P03";
const UNDEFINED_TABLE = "42P01";

/**
 * Drops the partitions of past days that exceed a limit, oldest first, which takes no longer for many records than for
 * few. The size is limited by whole days; the current day always stays.
 *
 * @returns the number of dropped records, and of those that remain
 */
export async function sweepActivityDays(
  database: Database,
  { before, maxRecords, maxBytes }: ActivityLimits,
  signal?: AbortSignal,
): Promise<{ removed: number; remaining: number }> {
  const { days, others, today } = await readDays(database, signal);
  let bytes = days.reduce((sum, day) => sum + day.bytes, 0);
  let remaining = others + days.reduce((sum, day) => sum + day.records, 0);
  let removed = 0;
  for (const { name, from, records, bytes: size } of days.sort((a, b) => a.from - b.from)) {
    const isOver =
      from + DAY_MS <= before ||
      (maxBytes > 0 && bytes > maxBytes && from < today) ||
      (maxRecords > 0 && records > 0 && remaining - records >= maxRecords && from < today);
    if (!isOver || signal?.aborted) continue;
    if (!(await dropDay(database, { name, end: from + DAY_MS - 1 }, signal))) continue;
    removed += records;
    remaining -= records;
    bytes -= size;
  }
  return { removed, remaining };
}

async function readDays(database: Database, signal: AbortSignal | undefined) {
  return await database.transact(
    async (sql) => {
      await sql(`set local statement_timeout = '${COUNT_TIMEOUT_MS}ms'`);
      const counted = await sql<{ name: string; n: number }>(
        "select tableoid::regclass::text as name, count(*) as n from activity group by tableoid",
      );
      const partitions = await sql<{ name: string; bytes: number }>(
        `select inhrelid::regclass::text as name, pg_total_relation_size(inhrelid) as bytes from pg_inherits
          where inhparent = 'activity'::regclass`,
      );
      const counts = new Map(counted.map(({ name, n }) => [name, n]));
      const days = partitions.flatMap(({ name, bytes }): DayPartition[] => {
        const from = dayOf(name);
        return from === undefined ? [] : [{ name, from, bytes, records: counts.get(name) ?? 0 }];
      });
      const others = counted.reduce((sum, { name, n }) => sum + (dayOf(name) === undefined ? n : 0), 0);
      return { days, others, today: await databaseToday(sql) };
    },
    { signal, timeoutMs: COUNT_TIMEOUT_MS },
  );
}

/** Returns the start of the current day (UTC) by the database's clock (ms). */
async function databaseToday(sql: Sql): Promise<number> {
  const [clock] = await sql<{ day: number }>(`select floor(extract(epoch from clock_timestamp()) / 86400)::int as day`);
  return clock!.day * DAY_MS;
}

function dayOf(name: string): number | undefined {
  const [, year, month, day] = /activity_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** @returns false if others use the partition, or another replica has dropped it */
async function dropDay(
  database: Database,
  { name, end }: { name: string; end: number },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await database.transact(
      async (sql) => {
        await sql(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
        await sql(`drop table ${name}`);
        await markSwept(sql, end);
      },
      { signal },
    );
    return true;
  } catch (error) {
    if ([LOCK_NOT_AVAILABLE, UNDEFINED_TABLE].includes(sqlState(error))) return false;
    throw error;
  }
}
