import type { App } from "../../app.ts";
import { toolIdOf } from "../../catalog/row.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolRow } from "../../schema/tool.ts";
import { usageStart } from "../../store/usage-days.ts";
import { activityCounts } from "../activity/counts.ts";
import { activityFilterKey, narrowActivityFilter } from "../activity/list.ts";

/** The number of calls of a tool within the last 30 days, and the time of the last one (ms). */
interface CallCount {
  readonly count: number;
  readonly lastUsed: number;
}

/** Returns the calls of a tool, if there are any. */
export type CallCounts = (row: Pick<ToolRow, "id">) => CallCount | undefined;

/**
 * Counts the calls of each tool that a caller may know of: those whose activity records it may see. A caller that sees
 * the records of everybody gets the counts in memory; for a user of the multi-user edition, the user's own records are
 * counted.
 *
 * @throws Fault cancelled if the caller has disconnected
 */
export async function callCountsFor(app: App, caller: Caller, signal: AbortSignal | undefined): Promise<CallCounts> {
  const now = app.clock.now();
  const filter = narrowActivityFilter({ type: ["tool_call"], after: usageStart(now) - 1 }, caller);
  // The caller's servers need no filter, because the lists contain no tool of another server.
  if (filter.user_id === undefined) return ({ id }) => app.store.usage.last30Days(id, now);
  const { result } = await app
    .part(activityCounts)
    .share(`calls by tool ${activityFilterKey(filter)}`, signal, async (stop) => {
      const counts = new Map<string, CallCount>();
      for await (const { server_name, tool_name, count, last_at } of app.store.activity.tally(filter, {}, stop)) {
        if (server_name === undefined || tool_name === undefined) continue;
        const id = toolIdOf(server_name, tool_name);
        const known = counts.get(id);
        counts.set(id, {
          count: count + (known?.count ?? 0),
          lastUsed: Math.max(last_at, known?.lastUsed ?? 0),
        });
      }
      return counts;
    });
  return ({ id }) => result.get(id);
}
