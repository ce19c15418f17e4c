import type { QueryResultRow } from "pg";
import type { ActivityFilter } from "../../../core/schema/activity.ts";
import { type SpanPlan, spanPlan } from "../../../core/store/activity-spans.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { sharedActivityFilter } from "./shared-activity-filter.ts";
import { DAY_MS, HOUR_MS } from "./shared-activity-sums.ts";

/** What is counted, as SQL after `with source as (…)`. */
export interface CountedQuery {
  /** `source` has rows of `activity_sum`. */
  readonly ofSums: string;
  /** `source` has rows of `activity`. */
  readonly ofRecords: string;
  /** Length of the time slots of the result; absent: the result has none. (ms) */
  readonly slotMs?: number;
}

/** Members of a filter that can be applied to sums. */
const SUMMABLE = ["type", "status", "server", "tool", "user_id", "servers", "own", "after", "before"];
/** If the sums are further behind than this number of records, the records are counted a day at a time. */
const MAX_BEHIND = 200_000;
/** Slots that one query reads. */
const SLOTS = { [HOUR_MS]: 48, [DAY_MS]: 8 } as Record<number, number>;
const TIMEOUT_MS = 60_000;

/**
 * Counts complete hours and days by their sums, and everything else by the records: the ends of the period, records that
 * are not summed yet, and filters that sums do not know. All of it is of one moment if there are sums.
 */
export async function* countedRows<Row extends QueryResultRow>(
  database: Database,
  filter: ActivityFilter,
  query: CountedQuery,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const isSummable = Object.entries(filter).every(([name, value]) => value === undefined || SUMMABLE.includes(name));
  const rows = isSummable && (await countBySums<Row>(database, filter, query, signal));
  if (rows) yield* rows;
  else
    for await (const day of days(database, filter, signal))
      yield* await database.run((sql) => countRecords<Row>(sql, day, query), { signal });
}

/** @returns undefined if there are no sums for the period */
function countBySums<Row extends QueryResultRow>(
  database: Database,
  filter: ActivityFilter,
  query: CountedQuery,
  signal: AbortSignal | undefined,
): Promise<Row[] | undefined> {
  return database.transact(
    async (sql) => {
      await sql("set transaction isolation level repeatable read, read only");
      await sql(`set local statement_timeout = '${TIMEOUT_MS}ms'`);
      const found = await planOf(sql, filter, query.slotMs);
      if (!found) return undefined;
      const { plan, through } = found;
      const { after, before, ...rest } = filter;
      const rows: Row[] = [];
      for (const { spanMs, from, to } of plan.ranges)
        for (let start = from; start < to; start += SLOTS[spanMs]!)
          rows.push(
            ...(await countSums<Row>(sql, rest, query, {
              spanMs,
              from: start,
              to: Math.min(to, start + SLOTS[spanMs]!),
            })),
          );
      const summed = `seq <= ${through}`;
      const end = Math.min(before ?? plan.from, plan.from);
      rows.push(...(await countRecords<Row>(sql, { ...filter, before: end }, query, summed)));
      if (before !== undefined && before > plan.to)
        rows.push(
          ...(await countRecords<Row>(sql, { ...filter, after: Math.max(after ?? -1, plan.to - 1) }, query, summed)),
        );
      rows.push(...(await countRecords<Row>(sql, filter, query, `seq > ${through}`)));
      return rows;
    },
    { signal, timeoutMs: TIMEOUT_MS },
  );
}

interface SumsState extends QueryResultRow {
  readonly through: number;
  readonly swept: number;
  readonly days: number;
  readonly at: number | null;
  readonly seq: number | null;
  readonly first: number | null;
}

async function planOf(
  sql: Sql,
  { after, before }: ActivityFilter,
  slotMs: number | undefined,
): Promise<{ plan: SpanPlan; through: number } | undefined> {
  const [state] = await sql<SumsState>(
    `select through_seq as through, swept_at as swept, days_to as days, (select max(at) from activity) as at,
      (select max(seq) from activity) as seq,
      (select min(slot) from activity_sum where span_ms = ${HOUR_MS}) as first from activity_summed`,
  );
  if (!state || state.through === 0 || state.at === null || state.seq! - state.through > MAX_BEHIND) return undefined;
  // Nothing is before the first sum, so no slot there is asked for.
  const oldest = (state.first ?? 0) * HOUR_MS - 1;
  const spans = [
    { spanMs: HOUR_MS, builtTo: Number.POSITIVE_INFINITY },
    { spanMs: DAY_MS, builtTo: state.days },
  ].filter(({ spanMs }) => slotMs === undefined || slotMs % spanMs === 0);
  const plan = spanPlan({ after: Math.max(after ?? -1, state.swept, oldest), before }, state.at, spans);
  return plan && { plan, through: state.through };
}

function countSums<Row extends QueryResultRow>(
  sql: Sql,
  filter: ActivityFilter,
  { ofSums }: CountedQuery,
  { spanMs, from, to }: { spanMs: number; from: number; to: number },
): Promise<Row[]> {
  const { sql: condition, values } = sharedActivityFilter(filter);
  return sql<Row>(
    `with source as (select * from activity_sum
      where span_ms = ${spanMs} and slot >= ${from} and slot < ${to} and ${condition})${ofSums}`,
    values,
  );
}

function countRecords<Row extends QueryResultRow>(
  sql: Sql,
  filter: ActivityFilter,
  { ofRecords }: CountedQuery,
  further = "true",
): Promise<Row[]> {
  const { sql: condition, values } = sharedActivityFilter(filter);
  return sql<Row>(`with source as (select * from activity where ${condition} and ${further})${ofRecords}`, values);
}

/** Yields the filter for each day (UTC) that has records, newest first, so that each query is bounded. */
async function* days(
  database: Database,
  filter: ActivityFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ActivityFilter> {
  const { after, before } = filter;
  for (let end = before; ; ) {
    const { sql: condition, values } = sharedActivityFilter({
      ...(after !== undefined && { after }),
      ...(end !== undefined && { before: end }),
    });
    const [newest] = await database.run(
      (sql) => sql<{ at: number | null }>(`select max(at) as at from activity where ${condition}`, values),
      { signal },
    );
    if (newest?.at == null) return;
    const start = Math.floor(newest.at / DAY_MS) * DAY_MS;
    const day = Math.max(after ?? Number.NEGATIVE_INFINITY, start - 1);
    yield { ...filter, after: day, before: Math.min(end ?? Number.POSITIVE_INFINITY, start + DAY_MS) };
    end = start;
  }
}
