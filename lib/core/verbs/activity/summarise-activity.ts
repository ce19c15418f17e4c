import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import type { ActivitySummary, SummaryPeriod } from "../../schema/activity-summary.ts";
import type { Caller } from "../../schema/caller.ts";
import { activityCounts } from "./counts.ts";
import { activityFilterKey, narrowActivityFilter } from "./list.ts";

const SUMMARY_PERIODS = {
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
  "30d": 30 * 86_400_000,
} as const satisfies Record<SummaryPeriod, number>;

/** Number of servers and tools in the top lists. */
const TOP = 5;

/**
 * Counts the activity of the last hour, day, week or month; for a limited caller only that of its servers (reference
 * 1.7). If counting takes long, the same result is returned for up to a minute; `end_time` is the time of the count.
 */
export async function summariseActivity(
  app: App,
  period: SummaryPeriod,
  caller: Caller,
  signal?: AbortSignal,
): Promise<ActivitySummary> {
  const key = `summary ${period} ${activityFilterKey(narrowActivityFilter({}, caller))}`;
  const { result } = await app.part(activityCounts).share(key, signal, (stop) => count(app, period, caller, stop));
  return result;
}

async function count(app: App, period: SummaryPeriod, caller: Caller, stop: AbortSignal): Promise<ActivitySummary> {
  const now = app.clock.now();
  const since = now - SUMMARY_PERIODS[period];
  const statuses = { success: 0, error: 0, blocked: 0, rejected: 0 };
  const servers = new Map<string, { name: string; count: number }>();
  const tools = new Map<string, { server: string; tool: string; count: number }>();
  for await (const group of app.store.activity.tally(narrowActivityFilter({ after: since }, caller), {}, stop)) {
    const { status, server_name: server, tool_name: tool, count } = group;
    statuses[status] += count;
    if (server === undefined) continue;
    add(servers, server, { name: server, count });
    if (tool !== undefined) add(tools, JSON.stringify([server, tool]), { server, tool, count });
  }
  return {
    period,
    start_time: rfc3339(since),
    end_time: rfc3339(now),
    total_count: Object.values(statuses).reduce((sum, n) => sum + n, 0),
    success_count: statuses.success,
    error_count: statuses.error,
    blocked_count: statuses.blocked,
    rejected_count: statuses.rejected,
    top_servers: top(servers),
    top_tools: top(tools),
  };
}

function add<T extends { count: number }>(into: Map<string, T>, key: string, one: T): void {
  const known = into.get(key);
  if (known) known.count += one.count;
  else into.set(key, one);
}

/** The most frequent entries; ties are sorted by name. */
function top<T extends { count: number }>(counted: Map<string, T>): T[] {
  return [...counted]
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .slice(0, TOP)
    .map(([, one]) => one);
}
