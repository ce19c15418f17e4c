import type { ActivityFilter, ActivitySlot, ActivityTally, TallyBy } from "../../../core/schema/activity.ts";
import { addDurations } from "../../../core/store/durations.ts";
import { withoutNulls } from "../../../core/store/json-column.ts";
import type { Database } from "../database.ts";
import { textOfDatabase } from "../database-text.ts";
import { sharedActivityFilter } from "./shared-activity-filter.ts";

const DAY_MS = 86_400_000;

/** Counts every match in groups, a day at a time. The same group is returned once for each day and duration. */
export async function* tallySharedActivity(
  database: Database,
  filter: ActivityFilter,
  { durations = false }: TallyBy,
  signal?: AbortSignal,
): AsyncGenerator<ActivityTally> {
  // Three significant digits, which the rounding of the sums shortens further.
  const rounded = durations
    ? ", case when duration_ms > 0 then round(duration_ms::numeric, 2 - floor(log(duration_ms))::int)::float8 else duration_ms end"
    : "";
  const groups = `type, status, server_name, tool_name${rounded}`;
  for await (const day of days(database, filter, signal)) {
    const { sql: condition, values } = sharedActivityFilter(day);
    const rows = await database.run(
      (sql) =>
        sql<Tallied>(
          `select ${groups}${durations ? " as duration" : ""}, count(*) as count, max(at) as last_at,
            count(response_bytes) as sized_responses, coalesce(sum(response_bytes), 0)::bigint as response_bytes,
            count(request_bytes) as sized_requests, coalesce(sum(request_bytes), 0)::bigint as request_bytes
            from activity where ${condition} group by ${groups}`,
          values,
        ),
      { signal },
    );
    for (const row of rows) yield tallyOf(row);
  }
}

/** Counts like `tallySharedActivity`, but by time slots of one length, and only records that name a server. */
export async function* tallySharedActivitySlots(
  database: Database,
  filter: ActivityFilter,
  slotMs: number,
  signal?: AbortSignal,
): AsyncGenerator<ActivitySlot> {
  for await (const day of days(database, filter, signal)) {
    const { sql: condition, values } = sharedActivityFilter(day);
    const slot = `(at / $${values.length + 1}::bigint)`;
    yield* await database.run(
      (sql) =>
        sql<ActivitySlot & Record<string, unknown>>(
          `select ${slot} as slot, status, count(*) as count, coalesce(sum(response_bytes), 0)::bigint as response_bytes
            from activity where ${condition} and server_name is not null group by ${slot}, status`,
          [...values, slotMs],
        ),
      { signal },
    );
  }
}

interface Tallied extends Record<string, unknown> {
  readonly duration?: number | null;
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

function tallyOf({ duration, ...row }: Tallied): ActivityTally {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === "string" ? textOfDatabase(cell) : cell,
  ]);
  const tally = withoutNulls(Object.fromEntries(cells)) as unknown as ActivityTally;
  if (duration === undefined || duration === null) return tally;
  const one = new Map<number, number>();
  addDurations(one, [duration]);
  return { ...tally, durations: new Map([...one.keys()].map((ms) => [ms, tally.count])) };
}
