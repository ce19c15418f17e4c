import { loopShare } from "../../../core/base/loop-share.ts";
import type { ActivityFilter, ActivitySlot, ActivityTally, TallyBy } from "../../../core/schema/activity.ts";
import { roundDuration } from "../../../core/store/durations.ts";
import { withoutNulls } from "../../../core/store/json-column.ts";
import type { Database } from "../database.ts";
import { textOfDatabase } from "../database-text.ts";
import { type CountedQuery, countedRows } from "./counted-rows.ts";
import { ROUNDED_DURATION } from "./shared-activity-sums.ts";

/** Counts every match in groups. The same group may be returned several times. */
export async function* tallySharedActivity(
  database: Database,
  filter: ActivityFilter,
  { durations = false }: TallyBy,
  signal?: AbortSignal,
): AsyncGenerator<ActivityTally> {
  const names = "type, status, server_name, tool_name";
  const numbers = `sum(count)::bigint as count, max(last_at) as last_at,
    sum(sized_responses)::bigint as sized_responses, coalesce(sum(response_bytes), 0)::bigint as response_bytes,
    sum(sized_requests)::bigint as sized_requests, coalesce(sum(request_bytes), 0)::bigint as request_bytes`;
  const query: CountedQuery = {
    ofSums: durations
      ? `, keyed as (select *, row(${names})::text as key from source),
        pairs as (
          select key, duration, sum(times)::bigint as times
            from keyed cross join lateral unnest(durations, duration_counts) as pair (duration, times)
            group by key, duration
        ),
        lists as (select key, array_agg(duration) as durations, array_agg(times) as times from pairs group by key)
        select min(type) as type, min(status) as status, min(server_name) as server_name, min(tool_name) as tool_name,
          ${numbers}, min(lists.durations) as durations, min(times) as times
          from keyed left join lists using (key) group by key`
      : ` select ${names}, ${numbers} from source group by ${names}`,
    ofRecords: durations
      ? `, counted as (select ${names}, ${ROUNDED_DURATION} as duration, count(*) as count, max(at) as last_at,
          count(response_bytes) as sized_responses, sum(response_bytes) as response_bytes,
          count(request_bytes) as sized_requests, sum(request_bytes) as request_bytes from source
          group by ${names}, duration)
        select ${names}, ${numbers}, array_agg(duration) filter (where duration is not null) as durations,
          array_agg(count) filter (where duration is not null) as times from counted group by ${names}`
      : ` select ${names}, count(*) as count, max(at) as last_at, count(response_bytes) as sized_responses,
          coalesce(sum(response_bytes), 0)::bigint as response_bytes, count(request_bytes) as sized_requests,
          coalesce(sum(request_bytes), 0)::bigint as request_bytes from source group by ${names}`,
  };
  const pause = loopShare();
  for await (const row of countedRows<Tallied>(database, filter, query, signal)) {
    yield tallyOf(row);
    await pause();
  }
}

/** Counts like `tallySharedActivity`, but by time slots of one length, and only records that name a server. */
export async function* tallySharedActivitySlots(
  database: Database,
  filter: ActivityFilter,
  slotMs: number,
  signal?: AbortSignal,
): AsyncGenerator<ActivitySlot> {
  const length = `${Math.round(slotMs)}::bigint`;
  const query: CountedQuery = {
    slotMs,
    ofSums: ` select slot * span_ms / ${length} as slot, status, sum(count)::bigint as count,
      coalesce(sum(response_bytes), 0)::bigint as response_bytes
      from source where server_name is not null group by 1, status`,
    ofRecords: ` select at / ${length} as slot, status, count(*) as count,
      coalesce(sum(response_bytes), 0)::bigint as response_bytes
      from source where server_name is not null group by 1, status`,
  };
  yield* countedRows<ActivitySlot & Record<string, unknown>>(database, filter, query, signal);
}

interface Tallied extends Record<string, unknown> {
  /** Lists of the database: `{1,2.5}`. */
  readonly durations?: string | null;
  readonly times?: string | null;
}

function tallyOf({ durations, times, ...row }: Tallied): ActivityTally {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === "string" ? textOfDatabase(cell) : cell,
  ]);
  const tally = withoutNulls(Object.fromEntries(cells)) as unknown as ActivityTally;
  if (durations == null) return tally;
  const counts = numbersOf(times ?? "{}");
  const byDuration = new Map<number, number>();
  for (const [index, duration] of numbersOf(durations).entries()) {
    const ms = roundDuration(duration);
    byDuration.set(ms, (byDuration.get(ms) ?? 0) + counts[index]!);
  }
  return { ...tally, durations: byDuration };
}

function numbersOf(list: string): number[] {
  return list.slice(1, -1).split(",").filter(Boolean).map(Number);
}
