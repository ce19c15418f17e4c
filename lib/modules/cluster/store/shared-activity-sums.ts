import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import type { FinalRecords } from "./final-records.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Records behind which the sums may stay: counts read them one by one. */
const WORTHWHILE = 4000;
/** Most records that one transaction adds to the sums. */
const SLICE = 50_000;
/** Time between two looks at what there is to do (ms). */
const REST_MS = 2000;
/** An hour or a day is brought together when it has ended for this time (ms). */
const LATE_MS = 5 * 60_000;
const STEP_TIMEOUT_MS = 60_000;

/** Maintains the sums of the activity by hour and day. Any replica may do so at any time; one step excludes another. */
export interface SharedActivitySums {
  /** Brings the sums up to the newest record. */
  addUp(signal?: AbortSignal): Promise<void>;
  /** Keeps the sums up to date until the signal aborts. */
  maintain(signal: AbortSignal): Promise<void>;
}

export function createSharedActivitySums(database: Database, finalRecords: FinalRecords): SharedActivitySums {
  const transact = <T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal) =>
    database.transact(
      async (sql) => {
        await sql(`set local statement_timeout = '${STEP_TIMEOUT_MS}ms'`);
        return await work(sql);
      },
      { signal, timeoutMs: STEP_TIMEOUT_MS },
    );
  /** @returns whether there is more to add */
  const addSlice = async (atLeast: number, signal?: AbortSignal): Promise<boolean> => {
    const final = await finalRecords(signal);
    return await transact(async (sql) => {
      const [state] = await sql<{ through_seq: number; days_to: number }>(
        "select through_seq, days_to from activity_summed for update",
      );
      // The numbers of a restored database go on where the backup ended.
      const from = Math.min(state!.through_seq, final);
      if (final - from < atLeast) return false;
      const to = Math.min(final, from + SLICE);
      await sql(ADD, [from, to, state!.days_to]);
      await sql("update activity_summed set through_seq = $1", [to]);
      return to < final;
    }, signal);
  };
  /** Brings the rows of each slot that has ended together. @returns whether one was found */
  const gatherSlot = async (spanMs: number, place: "hours_to" | "days_to", signal?: AbortSignal): Promise<boolean> =>
    await transact(async (sql) => {
      const [state] = await sql<{ from: number; now: number }>(
        `select ${place} as from, (extract(epoch from clock_timestamp()) * 1000)::bigint as now
          from activity_summed for update`,
      );
      const perSlot = spanMs / HOUR_MS;
      const [next] = await sql<{ slot: number | null }>(
        "select min(slot) as slot from activity_sum where span_ms = $1 and slot >= $2",
        [HOUR_MS, state!.from * perSlot],
      );
      if (next?.slot == null) return false;
      const slot = Math.floor(next.slot / perSlot);
      if ((slot + 1) * spanMs > state!.now - LATE_MS) return false;
      await sql(spanMs === HOUR_MS ? GATHER_HOUR : GATHER_DAY, [slot]);
      await sql(`update activity_summed set ${place} = $1`, [slot + 1]);
      return true;
    }, signal);
  const dropSwept = async (spanMs: number, signal?: AbortSignal): Promise<boolean> =>
    await transact(async (sql) => {
      const [state] = await sql<{ swept: number }>("select swept_at as swept from activity_summed");
      return (await sql(DROP, [spanMs, Math.floor(state!.swept / spanMs)])).length > 0;
    }, signal);
  const all = async (atLeast: number, signal?: AbortSignal) => {
    while (await addSlice(atLeast, signal));
    while (await gatherSlot(HOUR_MS, "hours_to", signal));
    while (await gatherSlot(DAY_MS, "days_to", signal));
    for (const spanMs of [HOUR_MS, DAY_MS]) while (await dropSwept(spanMs, signal));
  };

  return {
    addUp: (signal) => all(1, signal),
    async maintain(signal) {
      while (!signal.aborted) {
        await all(WORTHWHILE, signal);
        await sleep(REST_MS, undefined, { signal, ref: false });
      }
    },
  };
}

/** What makes a group. */
const GROUP = "type, status, server_name, tool_name, user_id, actor";
const NUMBERS = "count, last_at, sized_requests, request_bytes, sized_responses, response_bytes";
const COLUMNS = `span_ms, slot, ${GROUP}, ${NUMBERS}, durations, duration_counts`;

/** Rounds like `roundDuration` of the core, with the same operations. */
export const ROUNDED_DURATION = `case when duration_ms > 0 then
  floor(duration_ms / 10 ^ floor(log(duration_ms))
    / case when duration_ms < 2 * 10 ^ floor(log(duration_ms)) then 0.05 else 0.1::float8 end + 0.5)
  * case when duration_ms < 2 * 10 ^ floor(log(duration_ms)) then 0.05 else 0.1::float8 end
  * 10 ^ floor(log(duration_ms)) when duration_ms is not null then 0 end`;

/** Adds the records after $1 up to $2 to their hours, and to days before $3, which have sums already. */
const ADD = `
  with counted as (
    select at / ${HOUR_MS} as hour, type, status, server_name, tool_name, user_id,
      case when server_name is null then actor end as actor, ${ROUNDED_DURATION} as duration, count(*) as count,
      max(at) as last_at, count(request_bytes) as sized_requests, sum(request_bytes) as request_bytes,
      count(response_bytes) as sized_responses, sum(response_bytes) as response_bytes
    from activity where seq > $1 and seq <= $2 group by 1, 2, 3, 4, 5, 6, 7, 8
  )
  insert into activity_sum (${COLUMNS})
  select span, hour / (span / ${HOUR_MS}) as slot, ${GROUP}, sum(count), max(last_at), sum(sized_requests),
    coalesce(sum(request_bytes), 0), sum(sized_responses), coalesce(sum(response_bytes), 0),
    coalesce(array_agg(duration) filter (where duration is not null), '{}'),
    coalesce(array_agg(count) filter (where duration is not null), '{}')
  from counted cross join unnest('{${HOUR_MS},${DAY_MS}}'::bigint[]) as span
  where span = ${HOUR_MS} or hour / 24 < $3
  group by span, slot, ${GROUP}`;

/** Adds the rows of `source` up, one row for each group. */
const GATHERED = `
  keyed as (select *, row(${GROUP})::text as key from source),
  pairs as (
    select key, duration, sum(times) as times
      from keyed cross join lateral unnest(durations, duration_counts) as pair (duration, times) group by key, duration
  ),
  lists as (select key, array_agg(duration) as durations, array_agg(times) as duration_counts from pairs group by key),
  gathered as (
    select min(type) as type, min(status) as status, min(server_name) as server_name, min(tool_name) as tool_name,
      min(user_id) as user_id, min(actor) as actor, sum(count)::bigint as count, max(last_at) as last_at,
      sum(sized_requests)::bigint as sized_requests, sum(request_bytes)::bigint as request_bytes,
      sum(sized_responses)::bigint as sized_responses, sum(response_bytes)::bigint as response_bytes,
      coalesce(min(lists.durations), '{}') as durations, coalesce(min(lists.duration_counts), '{}') as duration_counts
    from keyed left join lists using (key) group by key
  )`;

const GATHER_HOUR = `
  with source as (delete from activity_sum where span_ms = ${HOUR_MS} and slot = $1 returning *), ${GATHERED}
  insert into activity_sum (${COLUMNS})
  select ${HOUR_MS}, $1, ${GROUP}, ${NUMBERS}, durations, duration_counts from gathered`;

const GATHER_DAY = `
  with source as (
    select * from activity_sum where span_ms = ${HOUR_MS} and slot >= $1 * 24 and slot < $1 * 24 + 24
  ), ${GATHERED}
  insert into activity_sum (${COLUMNS})
  select ${DAY_MS}, $1, ${GROUP}, ${NUMBERS}, durations, duration_counts from gathered`;

/** Deletes sums that may hold removed records. */
const DROP = `
  delete from activity_sum where ctid in
    (select ctid from activity_sum where span_ms = $1 and slot <= $2 limit 2000)
  returning slot`;

/** Reports within a transaction that records up to a time are removed (ms), so that their sums no longer count. */
export async function markSwept(sql: Sql, at: number): Promise<void> {
  await sql("update activity_summed set swept_at = greatest(swept_at, $1)", [at]);
}
