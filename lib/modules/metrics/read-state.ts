import type { IntervalHistogram } from "node:perf_hooks";
import type { App } from "../../core/app.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import { upstreamCredentials } from "../../core/extension/upstream-credentials.ts";
import { itemCounts, waitingItemsMember } from "../../core/verbs/servers/item-counts.ts";
import { countPendingDecisions, type PendingDecisionFacts } from "../../core/verbs/servers/pending-decisions.ts";
import { listedCount, reviewCounts } from "../../core/verbs/servers/review-counts.ts";
import type { Instruments } from "./instruments.ts";
import { OTHER } from "./series-limit.ts";

/** Maximum number of servers with series of their own in the gauges. */
const MAX_SERVERS = 500;

/** Sets the gauges to the state at this moment. Pauses between servers, because there may be a thousand. */
export async function readState(app: App, instruments: Instruments): Promise<void> {
  const pause = loopShare();
  const { mcpServers } = app.config.current();
  const states = new Map<string, number>();
  const signIns = new Map<string, number>();
  const facts: PendingDecisionFacts[] = [];
  const others = { active: 0, waiting: 0 };
  const rows: { server: string; up: number | undefined; active: number; waiting: number }[] = [];
  let tools = 0;
  for (const server of mcpServers) {
    const paused = pause();
    if (paused) await paused;
    const { name } = server;
    const state = stateOf(app, server);
    add(states, state);
    const signIn = app.part(upstreamCredentials).status(name).state;
    if (signIn !== "none") add(signIns, signIn);
    facts.push(decisionFacts(app, server));
    tools += listedCount(app.catalog.of(name));
    const { active, waiting } = app.upstreams.get(name)?.load() ?? { active: 0, waiting: 0 };
    if (rows.length < MAX_SERVERS) {
      const up = state === "ready" ? 1 : UNUSED.has(state) ? undefined : 0;
      rows.push({ server: name, up, active, waiting });
    } else {
      others.active += active;
      others.waiting += waiting;
    }
  }
  if (mcpServers.length > MAX_SERVERS) rows.push({ server: OTHER, up: undefined, ...others });
  // The gauges are set without a pause, so that no scrape sees half of them.
  instruments.tools.set(tools);
  if (app.store.sharedClock) instruments.clockOffset.set(app.store.sharedClock.measured().offsetMs / 1000);
  instruments.writesWaiting.set(app.store.writes.waiting);
  setAll(instruments.servers, "state", states, STATES);
  setAll(instruments.signIns, "state", signIns, SIGN_IN_STATES);
  const { servers, tools: waitingTools, items } = countPendingDecisions(facts);
  instruments.approvals.set({ kind: "server" }, servers);
  instruments.approvals.set({ kind: "tool" }, waitingTools);
  instruments.approvals.set({ kind: "item" }, items);
  for (const gauge of [instruments.serverUp, instruments.active, instruments.waiting]) gauge.reset();
  for (const { server, up, active, waiting } of rows) {
    if (up !== undefined) instruments.serverUp.set({ server }, up);
    instruments.active.set({ server }, active);
    instruments.waiting.set({ server }, waiting);
  }
}

/** Sets the memory and the processor time of the process. */
export function readProcess(instruments: Instruments): void {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  instruments.resident.set(rss);
  instruments.heapUsed.set(heapUsed);
  instruments.heapTotal.set(heapTotal);
  instruments.external.set(external);
  const { user, system } = process.cpuUsage();
  instruments.cpu.reset();
  instruments.cpu.inc((user + system) / 1e6);
  instruments.startTime.set(performance.timeOrigin / 1000);
}

/** Sets the delays of the event loop since the last scrape. */
export function readLoopDelay(instruments: Instruments, loop: IntervalHistogram): void {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  instruments.lagMean.set(seconds(loop.mean));
  instruments.lagP50.set(seconds(loop.percentile(50)));
  instruments.lagP99.set(seconds(loop.percentile(99)));
  instruments.lagMax.set(seconds(loop.max));
  loop.reset();
}

const STATES = ["ready", "connecting", "authenticating", "error", "disconnected", "disabled", "quarantined"] as const;
const SIGN_IN_STATES = ["pending", "signed_in", "expired", "failed", "signed_out"] as const;
/** States in which nobody expects a connection. */
const UNUSED: ReadonlySet<string> = new Set(["disabled", "quarantined"]);

function stateOf(app: App, server: ServerConfig): (typeof STATES)[number] {
  if (!server.enabled) return "disabled";
  if (app.config.quarantined(server)) return "quarantined";
  const state = app.upstreams.get(server.name)?.status().state ?? "Disconnected";
  return state.toLowerCase() as Lowercase<typeof state>;
}

function decisionFacts(app: App, server: ServerConfig): PendingDecisionFacts {
  return {
    enabled: server.enabled,
    quarantined: app.config.quarantined(server),
    ...(server.held && { held: true as const }),
    quarantine: { ...reviewCounts(app, server), ...waitingItemsMember(itemCounts(app, server)) },
  };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Sets one series for each possible value, so that alerts find a zero instead of nothing. */
function setAll<L extends string>(
  gauge: { set(labels: Record<L, string>, value: number): void },
  label: L,
  counts: ReadonlyMap<string, number>,
  values: readonly string[],
): void {
  for (const value of values) gauge.set({ [label]: value } as Record<L, string>, counts.get(value) ?? 0);
}
