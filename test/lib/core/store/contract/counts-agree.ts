import assert from "node:assert/strict";
import type { ActivityFilter, ActivityRecord } from "#lib/core/schema/activity.ts";
import { roundDuration } from "#lib/core/store/durations.ts";
import type { Store } from "#lib/core/store/store.ts";
import type { Random } from "#test/kit/random.ts";
import { activityRecord } from "#test/kit/store.ts";

type Counted = Pick<Store, "activity">;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Noon of a day that is in the middle of sixteen. */
export const NOW = 20_008 * DAY_MS + 12 * HOUR_MS;
const SERVERS = ["git", "mail", "web"];

/** A record of the last forty days; recent ones more often. */
export function randomRecord(r: Random): ActivityRecord {
  const back = r.pick([60_000, HOUR_MS, DAY_MS, 7 * DAY_MS, 40 * DAY_MS]);
  const isNamed = r.below(5) > 0;
  return activityRecord({
    at: NOW - r.below(back),
    type: r.pick(["tool_call", "tool_call", "policy_decision", "preflight"]),
    status: r.pick(["success", "error", "blocked"]),
    ...(isNamed && { server_name: r.pick(SERVERS), tool_name: r.pick(["a", "b", "c"]) }),
    ...(r.below(2) > 0 && { actor: r.pick(["kate", "jo"]), user_id: r.pick(["u1", "u2"]) }),
    ...(r.below(4) > 0 && { duration_ms: r.below(2000) / r.pick([1, 7]), request_bytes: r.below(100) }),
    ...(r.below(4) > 0 && { response_bytes: r.below(1000) }),
  });
}

function randomFilter(r: Random): ActivityFilter {
  const moment = () => NOW - r.below(45 * DAY_MS);
  const whole = () => r.pick([HOUR_MS, DAY_MS]) * Math.floor(moment() / DAY_MS);
  const maybe = (own: ActivityFilter): ActivityFilter => (r.below(3) === 0 ? own : {});
  const ends = [r.pick([moment, whole])(), r.pick([moment, whole])()].sort((a, b) => a - b);
  return {
    ...(r.below(4) > 0 && { after: ends[0]! }),
    ...(r.below(2) > 0 && { before: ends[1]! }),
    ...maybe({ type: ["tool_call", "policy_decision"] }),
    ...maybe({ status: "success" }),
    ...maybe({ server: r.pick(SERVERS) }),
    ...maybe({ tool: "a" }),
    ...maybe({ user_id: "u1" }),
    ...maybe({ servers: new Set([r.pick(SERVERS)]), ...(r.below(2) > 0 && { own: "kate" }) }),
    ...(r.below(8) === 0 && { actor: "jo" }),
  };
}

type Numbers = Record<string, number>;

function add(into: Map<string, Numbers>, key: string, numbers: Numbers): void {
  const sum = into.get(key) ?? {};
  for (const [name, n] of Object.entries(numbers))
    sum[name] = name === "last" ? Math.max(sum[name] ?? 0, n) : (sum[name] ?? 0) + n;
  into.set(key, sum);
}

/** What the records say. */
export function countRecords(records: Iterable<ActivityRecord>, filter: ActivityFilter, slotMs: number) {
  const [groups, slots] = [new Map<string, Numbers>(), new Map<string, Numbers>()];
  const { after = -1, before = Number.POSITIVE_INFINITY, servers, own } = filter;
  for (const one of records) {
    const { at, type, status, server_name: server, tool_name: tool, duration_ms: ms } = one;
    if (at <= after || at >= before) continue;
    if (filter.type && !filter.type.includes(type)) continue;
    if (filter.status !== undefined && filter.status !== status) continue;
    if (filter.server !== undefined && filter.server !== server) continue;
    if (filter.tool !== undefined && filter.tool !== tool) continue;
    if (filter.user_id !== undefined && filter.user_id !== one.user_id) continue;
    if (filter.actor !== undefined && filter.actor !== one.actor) continue;
    if (servers && server !== undefined && !servers.has(server)) continue;
    if (servers && server === undefined && own !== undefined && one.actor !== own) continue;
    const [sent, got] = [one.request_bytes, one.response_bytes];
    const sizes = {
      sized: Number(sent !== undefined),
      sent: sent ?? 0,
      answered: Number(got !== undefined),
      got: got ?? 0,
    };
    const key = [type, status, server, tool].join();
    add(groups, key, { count: 1, last: at, ...sizes });
    if (ms !== undefined) add(groups, `${key} took ${roundDuration(ms)}`, { count: 1 });
    if (server !== undefined) add(slots, [Math.floor(at / slotMs), status].join(), { count: 1, got: got ?? 0 });
  }
  return { groups, slots };
}

export async function countStore({ activity }: Counted, filter: ActivityFilter, slotMs: number) {
  const [groups, slots] = [new Map<string, Numbers>(), new Map<string, Numbers>()];
  for await (const g of activity.tally(filter, { durations: true })) {
    const key = [g.type, g.status, g.server_name, g.tool_name].join();
    const [sized, sent, answered, got] = [g.sized_requests, g.request_bytes, g.sized_responses, g.response_bytes];
    add(groups, key, { count: g.count, last: g.last_at, sized, sent, answered, got });
    for (const [ms, count] of g.durations ?? []) add(groups, `${key} took ${ms}`, { count });
  }
  for await (const { slot, status, count, response_bytes: got } of activity.tallySlots(filter, slotMs))
    add(slots, [slot, status].join(), { count, got });
  return { groups, slots };
}

export async function readAll(store: Counted): Promise<ActivityRecord[]> {
  const records: ActivityRecord[] = [];
  for await (const record of store.activity.walk({})) records.push(record);
  return records;
}

/** Asserts for random filters that counts are those of the records that a walk finds. */
export async function assertCountsAgree(r: Random, store: Counted, when: string, filters = 12): Promise<void> {
  const records = await readAll(store);
  for (let i = 0; i < filters; i++) {
    const filter = i === 0 ? {} : randomFilter(r);
    const slotMs = r.pick([HOUR_MS, 6 * HOUR_MS, DAY_MS, 1000 * HOUR_MS]);
    const said = `${when}: ${JSON.stringify({ ...filter, servers: [...(filter.servers ?? [])] })}`;
    assert.deepEqual(await countStore(store, filter, slotMs), countRecords(records, filter, slotMs), said);
  }
}
