import { loopShare } from "../../../core/base/loop-share.ts";
import type { UsageStore } from "../../../core/store/store.ts";
import { addedUsage, DAY_MS, USAGE_DAYS, type UsageDay, UsageDays } from "../../../core/store/usage-days.ts";
import type { Sql } from "../connection.ts";
import { databaseText, textOfDatabase } from "../database-text.ts";
import type { SerialWork } from "../serial-work.ts";
import { createWritePace } from "../write-pace.ts";

/** Calls that one transaction adds. Its number makes it safe to repeat a transaction whose outcome is unknown. */
interface Batch {
  readonly number: number;
  readonly items: ReadonlyMap<string, UsageDay>;
}

/** Calls per tool and day. */
interface SharedUsage extends UsageStore {
  /** Adds what is left, and reads what all replicas have counted. Until then the calls of the others are missing. */
  update(signal?: AbortSignal): Promise<void>;
  /** Writes the counts that have gathered, unless the database does not answer. */
  close(): Promise<void>;
}

/**
 * Minimum time between two transactions, so that calls do not cost one each. A replica that is killed loses so much of
 * its counts. (ms)
 */
const GATHER_MS = 250;

/**
 * Counts calls per tool and day (UTC). A call changes memory; the next transaction adds what has gathered meanwhile. While the
 * database is away, calls gather in memory, which the number of tools limits, and are added once it answers again.
 *
 * @param program the running program; only it adds batches under its name
 */
export async function createSharedUsage(serial: SerialWork, program: string): Promise<SharedUsage> {
  let days = new UsageDays();
  let newestDay = 0;
  let sweptDay = 0;
  let batches = 0;
  let gathered = new Map<string, UsageDay>();
  /** The batch whose transaction has not succeeded yet. */
  let pending: Batch | undefined;
  let adding: Promise<void> | undefined;
  const pace = createWritePace(GATHER_MS);

  /** Adds the batch whose outcome is unknown, or else what has gathered, within a transaction. */
  const addNext = async (sql: Sql) => {
    if (!pending && gathered.size > 0) {
      pending = { number: ++batches, items: gathered };
      gathered = new Map();
    }
    if (pending) await addBatch(sql, program, pending);
    if (newestDay > sweptDay) await sweepDays(sql, newestDay - USAGE_DAYS);
    sweptDay = newestDay;
  };
  const addAll = async () => {
    // If it fails, the next call or the next update tries again.
    try {
      do {
        await pace.next();
        await serial(addNext);
        pending = undefined;
      } while (gathered.size > 0);
    } catch {
      return;
    } finally {
      adding = undefined;
    }
  };

  const store: SharedUsage = {
    async count(tool, at) {
      const day = Math.floor(at / DAY_MS);
      newestDay = Math.max(newestDay, day);
      const one = { tool, day, calls: 1, lastUsed: at };
      const key = `${day} ${tool}`;
      days.add(one);
      gathered.set(key, addedUsage(gathered.get(key), one));
      adding ??= addAll();
      await adding;
    },
    last30Days: (tool, now) => days.last30Days(tool, now),
    async update(signal) {
      if (adding) pace.hurry();
      await adding;
      const read = await serial(async (sql) => {
        await addNext(sql);
        return await readDays(sql);
      }, signal);
      pending = undefined;
      // Calls since the transaction began.
      for (const waiting of gathered.values()) read.add(waiting);
      days = read;
    },
    async close() {
      if (adding) pace.hurry();
      await adding;
    },
  };
  await store.update();
  return store;
}

const ADD = `insert into usage (tool, day, calls, last_used)
  select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as x (tool, day, calls, last_used)
  order by tool, day
  on conflict (tool, day) do update set calls = usage.calls + excluded.calls,
    last_used = greatest(usage.last_used, excluded.last_used)`;
/** Returns no row if the program has added this batch already. */
const TAKE_NUMBER = `insert into usage_batch (program, number, at) values ($1, $2, clock_timestamp())
  on conflict (program) do update set number = excluded.number, at = excluded.at
    where usage_batch.number < excluded.number returning number`;

async function addBatch(sql: Sql, program: string, { number, items }: Batch): Promise<void> {
  const taken = await sql(TAKE_NUMBER, [program, number]);
  if (taken.length === 0) return;
  const rows = [...items.values()];
  await sql(ADD, [
    rows.map(({ tool }) => databaseText(tool)),
    rows.map(({ day }) => day),
    rows.map(({ calls }) => calls),
    rows.map(({ lastUsed }) => lastUsed),
  ]);
}

async function sweepDays(sql: Sql, before: number): Promise<void> {
  await sql("delete from usage where day < $1", [before]);
  // A program that has added nothing for so long has ended.
  await sql("delete from usage_batch where at < clock_timestamp() - interval '30 days'");
}

async function readDays(sql: Sql): Promise<UsageDays> {
  const rows = await sql<{ tool: string; day: number; calls: number; lastUsed: number }>(
    `select tool, day, calls, last_used as "lastUsed" from usage`,
  );
  const days = new UsageDays();
  const pause = loopShare("background");
  for (const row of rows) {
    days.add({ ...row, tool: textOfDatabase(row.tool) });
    await pause();
  }
  return days;
}
