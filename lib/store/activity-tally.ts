import type { ActivityFilter, ActivityTally, TallyBy } from "../shape/activity.ts";
import { activityCondition } from "./activity-filter.ts";
import { type All, type Place, placeAfter, within } from "./activity-read.ts";
import { present } from "./json.ts";

/** Records looked at before others have a turn. */
const WINDOW = 1000;

/** Counts every match in groups, without reading what the records carry; the same group may come several times. */
export async function* tally(all: All, filter: ActivityFilter, by: TallyBy): AsyncGenerator<ActivityTally> {
  const condition = activityCondition(filter);
  let from: Place | undefined = [filter.before ?? Number.POSITIVE_INFINITY, 0];
  while (from) {
    const to = placeAfter(all, from, WINDOW);
    const { sql, inputs } = within(condition, from, to);
    for (const row of all(counting(sql, by), by.slotMs ?? 1, ...inputs)) yield present(row) as unknown as ActivityTally;
    await new Promise((done) => setImmediate(done));
    from = to && (to[0] as number) >= (filter.after ?? 0) ? to : undefined;
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
