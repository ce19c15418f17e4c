import { setTimeout as sleep } from "node:timers/promises";
import { loopShare } from "../../../core/base/loop-share.ts";
import type {
  ActivityFilter,
  ActivityMark,
  ActivityPage,
  ActivityPlace,
  ActivityRecord,
  FollowedActivity,
} from "../../../core/schema/activity.ts";
import type { ActivityStore } from "../../../core/store/store.ts";
import { takeClaim } from "../claim.ts";
import type { Sql, SqlValue } from "../connection.ts";
import { type Database, sqlState } from "../database.ts";
import { databaseText } from "../database-text.ts";
import { Fault } from "../faults.ts";
import type { openRecordQueue } from "../record-queue.ts";
import type { FinalRecords } from "./final-records.ts";
import { createRecordCount } from "./record-count.ts";
import { EVERYTHING, sharedActivityFilter } from "./shared-activity-filter.ts";
import { type ActivityCells, fromActivityCells, READ_COLUMNS, toActivityCells } from "./shared-activity-row.ts";
import type { SharedActivitySums } from "./shared-activity-sums.ts";
import { tallySharedActivity, tallySharedActivitySlots } from "./shared-activity-tally.ts";
import { sweepActivityDays } from "./sweep-activity-days.ts";

type Records = Pick<Awaited<ReturnType<typeof openRecordQueue<ActivityCells>>>, "add" | "flush" | "waiting">;

/** Counting stops at this number if there is a filter. */
const COUNTED = 100_000;
/** The driver parses a page at once, so it stays small. */
const WALK_ROWS = 200;
const SWEPT_ROWS = 2000;
/** Another replica may sweep after this time, because the first one is presumed dead. */
const SWEEP_CLAIM_MS = 600_000;
/** Longest wait for records in files, which are delivered when the database answers again. (ms) */
const DELIVERY_WAIT_MS = 2000;
const DELIVERY_CHECK_MS = 50;
/** What PostgreSQL reports when it stops a statement (`statement_timeout`). */
const STATEMENT_TIMEOUT = "57014";

export function createSharedActivity(
  database: Database,
  queue: Records,
  { sums, finalRecords }: { sums: SharedActivitySums; finalRecords: FinalRecords },
): ActivityStore {
  let last: Promise<unknown> = Promise.resolve();
  /** Waits until the records that this replica added before can be read, as far as the database takes them. */
  const settled = async (signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    queue.flush();
    await last;
    const end = performance.now() + DELIVERY_WAIT_MS;
    while (queue.waiting().fileBytes > 0 && performance.now() < end)
      await sleep(DELIVERY_CHECK_MS, undefined, { signal });
  };
  const countAll = createRecordCount(database);
  const read = async <T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await settled(signal);
    return await database.run(work, { signal });
  };

  return {
    async add(record) {
      const added = queue.add(toActivityCells(record));
      last = added;
      if (!(await added)) throw new Fault("cluster_database_away", { reason: "too many activity records wait" });
    },
    async select(filter, wanted, signal) {
      await settled(signal);
      const isFiltered = sharedActivityFilter(filter).sql !== EVERYTHING;
      const total = isFiltered ? undefined : await countAll(signal);
      try {
        return await database.run((sql) => selectPage(sql, filter, wanted, total), { signal });
      } catch (error) {
        throw sqlState(error) === STATEMENT_TIMEOUT
          ? new Fault("cluster_list_slow", undefined, { cause: error })
          : error;
      }
    },
    async *walk(filter) {
      const { sql: condition, values } = sharedActivityFilter(filter);
      const [newest] = await read((sql) => sql<{ seq: number | null }>("select max(seq) as seq from activity"));
      const through = newest?.seq ?? 0;
      const pause = loopShare();
      let place: readonly [number, number] | undefined;
      for (;;) {
        const bound: SqlValue[] = [...values, through, ...(place ?? [])];
        const n = values.length;
        const older = place ? `and (at, seq) < ($${n + 2}, $${n + 3})` : "";
        const rows = await read((sql) =>
          sql<StoredRecord>(
            `select seq, ${READ_COLUMNS} from activity where ${condition} and seq <= $${n + 1} ${older}
              order by at desc, seq desc limit ${WALK_ROWS}`,
            bound,
          ),
        );
        for (const row of rows) {
          yield fromActivityCells(row);
          await pause();
        }
        const end = rows.at(-1);
        if (!end || rows.length < WALK_ROWS) return;
        place = [end.at, end.seq];
      }
    },
    newestMark: () => read(newestMark),
    async follow(after, limit, signal) {
      const final = await finalRecords(signal);
      return await read((sql) => followRecords(sql, after, { limit, final }), signal);
    },
    countAfter: ({ seq }) =>
      read(async (sql) => {
        const [counted] = await sql<{ n: number }>("select count(*) as n from activity where seq > $1", [seq]);
        return counted!.n;
      }),
    async *tally(filter, by, signal) {
      await settled(signal);
      yield* tallySharedActivity(database, filter, by, signal);
    },
    async *tallySlots(filter, slotMs, signal) {
      await settled(signal);
      yield* tallySharedActivitySlots(database, filter, slotMs, signal);
    },
    async addUp(signal) {
      await settled(signal);
      await sums.addUp(signal);
    },
    get: (id) =>
      read(async (sql) => {
        const values = [databaseText(id)];
        const [row] = await sql<StoredRecord>(`select ${READ_COLUMNS} from activity where id = $1 limit 1`, values);
        return row && fromActivityCells(row);
      }),
    async sweep(before, maxRecords, { maxBytes = 0, signal } = {}) {
      await settled(signal);
      // Every replica sweeps at its intervals; one at a time is enough.
      const claim = await takeClaim(database, { name: "activity sweep", claimMs: SWEEP_CLAIM_MS });
      if (!claim) return 0;
      try {
        const days = await sweepActivityDays(database, { before, maxRecords, maxBytes }, signal);
        const excess = maxRecords === 0 ? 0 : days.remaining - maxRecords;
        return days.removed + (await sweepRecords(database, before, excess, signal));
      } finally {
        await claim.release();
      }
    },
  };
}

interface StoredRecord extends Record<string, unknown> {
  readonly seq: number;
  readonly at: number;
}

async function selectPage(
  sql: Sql,
  filter: ActivityFilter,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: ActivityPlace },
  known: number | undefined,
): Promise<ActivityPage> {
  const { sql: condition, values } = sharedActivityFilter(filter);
  const total = known ?? (await countMatches(sql, condition, values));
  const isCapped = known === undefined && total > COUNTED;
  const bound: SqlValue[] = [...values, limit, offset];
  let older = "";
  if (after) {
    // The place of a record that was removed is before all records of its time.
    const [at, id] = [bound.push(after.at), bound.push(databaseText(after.id))];
    older = `and (at, seq) < ($${at}, coalesce((select seq from activity where id = $${id} and at = $${at}), 0))`;
  }
  const page = (columns: string) =>
    `select ${columns} from activity where ${condition} ${older} order by at desc, seq desc
      limit $${values.length + 1} offset $${values.length + 2}`;
  // What is passed over is read from an index only, as far as the condition allows.
  const rows = await sql(
    offset === 0
      ? page(READ_COLUMNS)
      : `select ${READ_COLUMNS} from (${page("at, seq")}) as found join activity using (at, seq)
          order by at desc, seq desc`,
    bound,
  );
  const pause = loopShare();
  const records: ActivityRecord[] = [];
  for (const row of rows) {
    records.push(fromActivityCells(row));
    await pause();
  }
  return { records, total: isCapped ? COUNTED : total, isCapped };
}

async function countMatches(sql: Sql, condition: string, values: readonly SqlValue[]): Promise<number> {
  const [counted] = await sql<{ n: number }>(
    `select count(*) as n from (select from activity where ${condition} limit ${COUNTED + 1}) as matches`,
    values,
  );
  return counted!.n;
}

async function newestMark(sql: Sql): Promise<ActivityMark> {
  const [newest] = await sql<{ seq: number; id: string }>("select seq, id from activity order by seq desc limit 1");
  return newest ? { seq: newest.seq, id: newest.id } : { seq: 0, id: "" };
}

/**
 * Reads final records in the order of their numbers. Numbers also have gaps where a transaction failed, so records are
 * only reported as missing if that of the mark is gone.
 */
async function followRecords(
  sql: Sql,
  { seq, id }: ActivityMark,
  { limit, final }: { limit: number; final: number },
): Promise<FollowedActivity[]> {
  const rows = await sql<StoredRecord & { isMarkKept: boolean }>(
    `select seq, ${READ_COLUMNS}, exists (select from activity where id = $2 and seq = $1) as "isMarkKept"
      from activity where seq > $1 and seq <= $4 order by seq limit $3`,
    [seq, databaseText(id), limit, final],
  );
  return rows.map(({ isMarkKept, ...row }, index) => {
    const record = fromActivityCells(row);
    const missing = index === 0 && seq > 0 && !isMarkKept ? row.seq - seq - 1 : 0;
    return { record, mark: { seq: row.seq, id: record.id }, missing };
  });
}

/** Removes the oldest records in slices, so that no transaction is long. */
async function sweepRecords(
  database: Database,
  before: number,
  tooMany: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  const removeOldest = async (condition: string, value: number, limit: number) => {
    const rows = await database.run(
      (sql) =>
        sql(
          `with gone as (
            delete from activity where (id, at) in
              (select id, at from activity where ${condition} order by at, seq limit $2) and $1::bigint is not null
              returning at
          ), swept as (
            update activity_summed set swept_at = greatest(swept_at, (select max(at) from gone))
              where exists (select from gone)
          ) select count(*) as n from gone`,
          [value, limit],
        ),
      { signal },
    );
    const gone = Number(rows[0]!.n);
    removed += gone;
    return gone;
  };
  while (!signal?.aborted && (await removeOldest("at < $1", Math.ceil(before), SWEPT_ROWS)) === SWEPT_ROWS);
  for (let excess = tooMany - removed; excess > 0 && !signal?.aborted; ) {
    const gone = await removeOldest("true", 0, Math.min(excess, SWEPT_ROWS));
    // Another replica sweeps at the same time.
    if (gone === 0) break;
    excess -= gone;
  }
  return removed;
}
