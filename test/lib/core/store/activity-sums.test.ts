import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ActivityFilter, ActivityRecord } from "#lib/core/schema/activity.ts";
import { spanPlan } from "#lib/core/store/activity-spans.ts";
import { roundDuration } from "#lib/core/store/durations.ts";
import { checkDatabase } from "#lib/core/store/recover.ts";
import { query } from "#test/kit/damage.ts";
import { type Random, seeded } from "#test/kit/random.ts";
import { activityRecord, type TestStore, temporaryFolder, testStore } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon of a day that is in the middle of sixteen. */
const NOW = 20_008 * DAY_MS + 12 * HOUR_MS;
const SERVERS = ["git", "mail", "web"];

/** A record of the last forty days; recent ones more often. */
function randomRecord(r: Random): ActivityRecord {
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
function countRecords(records: Iterable<ActivityRecord>, filter: ActivityFilter, slotMs: number) {
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

async function countStore({ activity }: TestStore, filter: ActivityFilter, slotMs: number) {
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

async function all(store: TestStore): Promise<ActivityRecord[]> {
  const records: ActivityRecord[] = [];
  for await (const record of store.activity.walk({})) records.push(record);
  return records;
}

async function assertCountsAgree(r: Random, store: TestStore, when: string, filters = 12): Promise<void> {
  const records = await all(store);
  for (let i = 0; i < filters; i++) {
    const filter = i === 0 ? {} : randomFilter(r);
    const slotMs = r.pick([HOUR_MS, 6 * HOUR_MS, DAY_MS, 1000 * HOUR_MS]);
    const said = `${when}: ${JSON.stringify({ ...filter, servers: [...(filter.servers ?? [])] })}`;
    assert.deepEqual(await countStore(store, filter, slotMs), countRecords(records, filter, slotMs), said);
  }
}

const addAll = (store: TestStore, records: readonly ActivityRecord[]) =>
  Promise.all(records.map((record) => store.activity.add(record)));

const rows = async (store: TestStore, sql: string) => {
  await store.close();
  return await query(store.dir, sql);
};

for (const seed of [1, 2, 3])
  test(`counts over any period are those of the records, whatever is added, removed and added up (${seed})`, async (t) => {
    const r = seeded(seed);
    let store = await testStore(t);
    const { dir } = store;
    for (let round = 0; round < 8; round++) {
      await addAll(
        store,
        Array.from({ length: r.below(400) }, () => randomRecord(r)),
      );
      const step = r.pick(["add up", "add up", "sweep", "sweep all", "reopen", "sweep meanwhile"]);
      if (step === "add up") await store.activity.addUp();
      if (step === "sweep") await store.activity.sweep(NOW - r.below(30 * DAY_MS), 0);
      if (step === "sweep all") await store.activity.sweep(0, r.below(3) === 0 ? 1 : 100 + r.below(300));
      if (step === "sweep meanwhile")
        await Promise.all([
          store.activity.addUp(),
          store.activity.sweep(0, 50 + r.below(300)),
          addAll(store, [randomRecord(r), randomRecord(r)]),
        ]);
      if (step === "reopen") {
        await store.close();
        store = await testStore(t, { dir });
      }
      await assertCountsAgree(r, store, `round ${round}, ${step}`);
    }
    await store.activity.addUp();
    await assertCountsAgree(r, store, "at the end");
  });

test("whole hours, days and sixteen days are counted without their records", async (t) => {
  const store = await testStore(t);
  const r = seeded(9);
  await addAll(
    store,
    Array.from({ length: 1500 }, () => randomRecord(r)),
  );
  await store.activity.addUp();
  const wanted = await countStore(store, {}, DAY_MS);
  await store.close();
  // Only records of the hour that the last removal reached into are read.
  await query(store.dir, "update activity set server_name = 'other'");

  const again = await testStore(t, { dir: store.dir });

  assert.deepEqual(await countStore(again, {}, DAY_MS), wanted);
  const cut = { after: NOW - 30 * DAY_MS + 1 };
  const { groups } = await countStore(again, cut, DAY_MS);
  const others = [...groups].filter(([key]) => key.includes("other")).reduce((n, [, { count = 0 }]) => n + count, 0);
  assert.ok(others < 20, `${others} records were read singly`);
});

test("the sums of one hour with thousands of tools are counted once each, in several turns of the event loop", async (t) => {
  const store = await testStore(t);
  const tools = Array.from({ length: 3000 }, (_, i) => `tool_${i}`);
  const records = tools.map((tool_name) => activityRecord({ at: NOW - 5 * HOUR_MS, server_name: "git", tool_name }));
  await addAll(store, [...records, activityRecord({ at: NOW, server_name: "git", tool_name: "last" })]);
  await store.activity.addUp();
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  turn();

  const counts = new Map<string | undefined, number>();
  for await (const { tool_name, count } of store.activity.tally({ before: NOW - HOUR_MS }, {}))
    counts.set(tool_name, (counts.get(tool_name) ?? 0) + count);

  isOver = true;
  assert.deepEqual(counts, new Map(tools.map((tool) => [tool, 1])));
  assert.ok(turns >= 5, `${turns} turns`);
});

test("a count beside the adding up is whole, and one whose asker has gone ends", async (t) => {
  const store = await testStore(t);
  const r = seeded(4);
  await addAll(
    store,
    Array.from({ length: 1200 }, () => randomRecord(r)),
  );
  const records = await all(store);

  const counting = countStore(store, {}, DAY_MS);
  const adding = store.activity.addUp();
  const beside = countStore(store, {}, DAY_MS);

  const wanted = countRecords(records, {}, DAY_MS);
  assert.deepEqual(await counting, wanted);
  assert.deepEqual(await beside, wanted);
  await adding;
  await assert.rejects(store.activity.addUp(AbortSignal.abort(new Error("gone"))), /gone/);
  const first = store.activity.tally({}, {})[Symbol.asyncIterator]();
  await first.next();
  const gone = new AbortController();
  const waiting = store.activity.tally({}, {}, gone.signal)[Symbol.asyncIterator]().next();
  gone.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  await first.return?.();
  assert.deepEqual(await countStore(store, {}, DAY_MS), wanted);
});

test("thousands of new records are added up by themselves, as are those of an earlier release after the start", async (t) => {
  const r = seeded(6);
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const sums = async () => {
    const { tables } = await checkDatabase(dir);
    return tables.find(({ table }) => table === "activity_sums")!.rows;
  };
  const store = await testStore(t, { dir });
  await addAll(
    store,
    Array.from({ length: 6000 }, () => randomRecord(r)),
  );
  await until("sums", async () => (await sums()) > 0);
  await store.activity.addUp();
  const whole = await sums();
  await store.close();
  for (const table of ["activity_sums", "activity_groups"]) await query(dir, `delete from ${table}`);
  await query(dir, "update activity_summed set through_seq = 0");

  const again = await testStore(t, { dir });

  await assertCountsAgree(r, again, "before", 3);
  await again.clock.advance(1000);
  await until("all sums", async () => (await sums()) === whole);
  await assertCountsAgree(r, again, "after", 3);
});

test("sums of removed records go, with the names that nothing is about any more", async (t) => {
  const store = await testStore(t);
  const old = activityRecord({ at: NOW - 200 * DAY_MS, server_name: "old", tool_name: "gone" });
  await addAll(store, [old, ...Array.from({ length: 300 }, (_, i) => activityRecord({ at: NOW - i * HOUR_MS }))]);
  await store.activity.addUp();

  await store.activity.sweep(NOW - 100 * HOUR_MS, 0);
  await store.activity.addUp();

  const names = await rows(store, "select server_name from activity_groups");
  assert.deepEqual(
    names.map(({ server_name }) => server_name),
    [null],
  );
  const [left] = await query(store.dir, "select min(slot) as slot from activity_sums where span_ms = 3600000");
  assert.equal(left?.slot, NOW / HOUR_MS - 100);
});

test("a damaged table of sums costs time and no number", async (t: TestContext) => {
  const store = await testStore(t);
  const r = seeded(8);
  await addAll(
    store,
    Array.from({ length: 300 }, () => randomRecord(r)),
  );
  await store.activity.addUp();
  await store.close();
  await query(store.dir, "delete from activity_summed");

  const again = await testStore(t, { dir: store.dir });

  await assertCountsAgree(r, again, "without the place that the sums reach", 4);
});

test("a period is covered by whole pieces of time that neither overlap nor leave a gap", () => {
  const r = seeded(11);
  for (let i = 0; i < 2000; i++) {
    const newest = r.below(100 * DAY_MS);
    const after = r.below(4) === 0 ? undefined : r.below(110 * DAY_MS) - DAY_MS;
    const before = r.below(2) === 0 ? undefined : r.below(110 * DAY_MS);
    const built = r.below(110);
    const spans = [
      { spanMs: HOUR_MS, builtTo: Number.POSITIVE_INFINITY },
      { spanMs: DAY_MS, builtTo: built },
      { spanMs: 16 * DAY_MS, builtTo: Math.floor(built / 16) },
    ].slice(0, 1 + r.below(3));
    const plan = spanPlan({ ...(after !== undefined && { after }), before }, newest, spans);
    if (!plan) continue;

    assert.ok(plan.from > (after ?? -1), "nothing before the period");
    if (before !== undefined && before <= newest) assert.ok(plan.to <= before, "nothing after the period");
    else assert.ok(plan.to > newest, "the newest is within");
    const pieces = [...plan.ranges].map(({ spanMs, from, to }) => ({ from: from * spanMs, to: to * spanMs, spanMs }));
    let at = plan.from;
    for (const { from, to, spanMs } of pieces) {
      assert.equal(from, at);
      const span = spans.find((one) => one.spanMs === spanMs);
      assert.ok(span && to > from && to / spanMs <= span.builtTo, "a piece that has a sum");
      at = to;
    }
    assert.equal(at, plan.to);
    const hours = pieces.filter(({ spanMs }) => spanMs === HOUR_MS).reduce((n, p) => n + (p.to - p.from) / HOUR_MS, 0);
    if (spans.length > 1 && built * DAY_MS >= plan.to) assert.ok(hours <= 46, `${hours} hours`);
  }
});

test("a duration is told to two significant digits, at most 2.5 % away", () => {
  const r = seeded(12);
  const exact = [0, 0.5, 1, 2.5, 10, 10.5, 30, 105, 900, 2000, 60_000];
  assert.deepEqual(exact.map(roundDuration), exact);
  const different = new Set<number>();
  for (let i = 0; i < 20_000; i++) {
    const ms = 10 ** (r.below(8000) / 1000 - 2);
    const rounded = roundDuration(ms);
    different.add(rounded);
    assert.ok(Math.abs(rounded - ms) <= ms * 0.0251, `${ms} became ${rounded}`);
    assert.equal(roundDuration(rounded), rounded);
  }
  assert.ok(different.size < 900, `${different.size} different ones`);
  assert.deepEqual([-1, Number.NaN].map(roundDuration), [0, 0]);
});
