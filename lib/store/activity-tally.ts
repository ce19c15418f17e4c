import { nextTurn } from "../base/loop-share.ts";
import type { ActivityFilter, ActivityTally, TallyBy } from "../shape/activity.ts";
import { type All, windows } from "./activity-read.ts";
import { present } from "./json.ts";

/** Records looked at before others have a turn. */
const WINDOW = 500;

/**
 * Counts every match in groups, without reading what the records carry; the same group may come several times.
 *
 * @param signal ends it with the signal's reason, after the window under way
 */
export async function* tally(
  all: All,
  filter: ActivityFilter,
  by: TallyBy,
  signal?: AbortSignal,
): AsyncGenerator<ActivityTally> {
  for (const { condition } of windows(all, filter, WINDOW)) {
    signal?.throwIfAborted();
    const rows = all(counting(condition.sql, by), by.slotMs ?? 1, ...condition.inputs);
    for (const row of rows) yield present(row) as unknown as ActivityTally;
    await nextTurn();
  }
}

const counting = (condition: string, { slotMs, duration }: TallyBy) => `
  select type, status, server_name, tool_name,
    ${duration === true ? "duration_ms" : "null"} as duration,
    ${slotMs === undefined ? "0 * ?" : "cast(at / ? as integer)"} as slot,
    count(*) as count, max(at) as last_at,
    count(response_bytes) as sized_responses, total(response_bytes) as response_bytes,
    count(request_bytes) as sized_requests, total(request_bytes) as request_bytes
  from activity where ${condition}
  group by type, status, server_name, tool_name, duration, slot`;
