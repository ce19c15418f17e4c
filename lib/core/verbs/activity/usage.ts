import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { ActivityFilter, ActivityTally } from "../../schema/activity.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolUsage } from "../../schema/tool-usage.ts";
import { activityCounts } from "./counts.ts";
import { activityFilterKey, narrowActivityFilter } from "./list.ts";
import { type Durations, quantile } from "./quantile.ts";
import { createTimeline } from "./timeline.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The length of each window, and of the time slots in its timeline. */
const WINDOWS = {
  "24h": { backMs: DAY_MS, slotMs: HOUR_MS },
  "7d": { backMs: 7 * DAY_MS, slotMs: 6 * HOUR_MS },
  all: { backMs: Number.POSITIVE_INFINITY, slotMs: DAY_MS },
} as const;

interface UsageRequest {
  window: keyof typeof WINDOWS;
  sort: "calls" | "resp_bytes" | "error_rate" | "p95";
  /** Number of tools in the list; all others are summed in one entry. */
  top: number;
  filter: Pick<ActivityFilter, "server" | "tool" | "status">;
}

/**
 * Counts the calls of each tool within a window, with their durations and sizes (reference 1.9). `freshness_ms` is the
 * age of the numbers.
 */
export async function usageByTool(app: App, request: UsageRequest, caller: Caller, signal?: AbortSignal) {
  const { window, sort, top, filter } = request;
  const key = `usage ${window} ${sort} ${top} ${activityFilterKey(narrowActivityFilter(filter, caller))}`;
  const { result, ageMs } = await app
    .part(activityCounts)
    .share(key, signal, (stop) => counted(app, request, caller, stop));
  return { ...result, freshness_ms: ageMs };
}

async function counted(app: App, { window, sort, top, filter }: UsageRequest, caller: Caller, stop: AbortSignal) {
  const { backMs, slotMs } = WINDOWS[window];
  const now = app.clock.now();
  const since = now - backMs;
  const callFilter = { ...filter, type: ["tool_call", "policy_decision"], ...(backMs < now && { after: since }) };
  const found = new Map<string, Counted>();
  const time = createTimeline(slotMs);
  const narrowed = narrowActivityFilter(callFilter, caller);
  // A rejected call with an invalid tool name is not counted for any tool.
  for await (const group of app.store.activity.tally(narrowed, { durations: true }, stop))
    if (group.server_name !== undefined) count(found, group);
  for await (const slot of app.store.activity.tallySlots(narrowed, slotMs, stop)) time.add(slot);
  const tools: ToolUsage[] = [];
  const pause = loopShare();
  for (const one of found.values()) {
    tools.push(toolUsage(one));
    await pause();
    stop.throwIfAborted();
  }
  tools.sort(bySort(sort));
  const folded = tools.slice(top);
  return {
    window,
    generated_at: rfc3339(now),
    freshness_ms: 0,
    token_source: "bytes" as const,
    tools: tools.slice(0, top),
    ...(folded.length > 0 && {
      other: {
        tools_folded: folded.length,
        calls: sum(folded, "calls"),
        total_resp_bytes: sum(folded, "total_resp_bytes"),
      },
    }),
    timeline: time.slots(backMs < now ? since : undefined, now),
  };
}

interface Counted {
  server: string;
  tool: string;
  statuses: Record<ActivityTally["status"], number>;
  sent: { calls: number; bytes: number };
  got: { calls: number; bytes: number };
  durations: Durations;
  lastAt: number;
}

function count(into: Map<string, Counted>, group: ActivityTally): void {
  const { server_name: server = "", tool_name: tool = "", status } = group;
  const key = JSON.stringify([server, tool]);
  let one = into.get(key);
  if (!one) {
    const statuses = { success: 0, error: 0, blocked: 0, rejected: 0 };
    const none = () => ({ calls: 0, bytes: 0 });
    one = { server, tool, statuses, sent: none(), got: none(), durations: new Map(), lastAt: 0 };
    into.set(key, one);
  }
  one.statuses[status] += group.count;
  one.lastAt = Math.max(one.lastAt, group.last_at);
  if (status === "blocked" || status === "rejected") return;
  one.sent.calls += group.sized_requests;
  one.sent.bytes += group.request_bytes;
  one.got.calls += group.sized_responses;
  one.got.bytes += group.response_bytes;
  for (const [ms, count] of group.durations ?? []) one.durations.set(ms, (one.durations.get(ms) ?? 0) + count);
}

function toolUsage({ server, tool, statuses, sent, got, durations, lastAt }: Counted): ToolUsage {
  const calls = statuses.success + statuses.error;
  const average = ({ calls, bytes }: Counted["got"]) => (calls === 0 ? null : Math.round(bytes / calls));
  return {
    server,
    tool,
    calls,
    errors: statuses.error,
    error_rate: calls === 0 ? 0 : statuses.error / calls,
    blocked: statuses.blocked,
    rejected: statuses.rejected,
    total_req_bytes: sent.bytes,
    avg_req_bytes: average(sent),
    total_resp_bytes: got.bytes,
    avg_resp_bytes: average(got),
    sized_calls: got.calls,
    p50_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
    last_used: rfc3339(lastAt),
  };
}

/** In descending order; ties are sorted by name. */
function bySort(sort: UsageRequest["sort"]): (a: ToolUsage, b: ToolUsage) => number {
  const weight = ({ calls, total_resp_bytes, error_rate, p95_ms }: ToolUsage): number =>
    ({ calls, resp_bytes: total_resp_bytes, error_rate, p95: p95_ms ?? -1 })[sort];
  const name = ({ server, tool }: ToolUsage) => `${server}:${tool}`;
  return (a, b) => weight(b) - weight(a) || (name(a) < name(b) ? -1 : 1);
}

function sum(tools: readonly ToolUsage[], member: "calls" | "total_resp_bytes"): number {
  return tools.reduce((total, tool) => total + tool[member], 0);
}
