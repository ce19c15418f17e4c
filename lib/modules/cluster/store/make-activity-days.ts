import { systemErrorCode } from "../../../core/base/file.ts";
import type { Database } from "../database.ts";

/** Today and the days after it for which partitions exist ahead, so that a replica may fail to make them for a while. */
const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;
/** Another replica was first: duplicate table or row type, unique violation in the catalog, tuple concurrently updated. */
const OTHER_WAS_FIRST = ["42P07", "42710", "23505", "XX000", "42P17"];
/** `activity_rest` has records of that day already; they stay there. */
const DAY_HAS_RECORDS = "23514";

/**
 * Makes the partitions of `activity` for today and the next days (UTC), by the database's clock. Any number of replicas
 * may call it at once. A day without a partition is in `activity_rest`.
 *
 * @returns the names of the partitions that this call made
 */
export async function makeActivityDays(database: Database, signal?: AbortSignal): Promise<string[]> {
  const [clock] = await database.run(
    (sql) => sql<{ today: number }>(`select floor(extract(epoch from clock_timestamp()) / 86400)::int as today`),
    { signal },
  );
  const made: string[] = [];
  for (let day = clock!.today; day <= clock!.today + DAYS_AHEAD; day++) {
    const name = await makeActivityDay(database, day, signal);
    if (name !== undefined) made.push(name);
  }
  return made;
}

/**
 * Makes the partition of one day, unless it exists.
 *
 * @param day days since the epoch
 * @returns its name if this call made it
 */
export async function makeActivityDay(
  database: Database,
  day: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const from = day * DAY_MS;
  const name = `activity_${new Date(from).toISOString().slice(0, 10).replaceAll("-", "")}`;
  try {
    const isMade = await database.transact(
      async (sql) => {
        const [found] = await sql<{ exists: boolean }>("select to_regclass($1) is not null as exists", [name]);
        if (found?.exists) return false;
        // Attached afterwards, because `create table … partition of` would lock the whole of `activity`.
        await sql(`create table ${name} (like activity including defaults)`);
        await sql(`alter table ${name} add primary key (id, at)`);
        await sql(`create index ${name}_at on ${name} (at, seq)`);
        await sql(`alter table activity attach partition ${name} for values from (${from}) to (${from + DAY_MS})`);
        return true;
      },
      { signal },
    );
    return isMade ? name : undefined;
  } catch (error) {
    const code = systemErrorCode(error);
    if (OTHER_WAS_FIRST.includes(code) || code === DAY_HAS_RECORDS) return undefined;
    throw error;
  }
}
