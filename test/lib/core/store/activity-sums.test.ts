import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import { spanPlan } from "#lib/core/store/activity-spans.ts";
import { roundDuration } from "#lib/core/store/durations.ts";
import { checkDatabase } from "#lib/core/store/recover.ts";
import { query } from "#test/kit/damage.ts";
import { seeded } from "#test/kit/random.ts";
import { activityRecord, type TestStore, temporaryFolder, testStore } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import {
  assertCountsAgree,
  countRecords,
  countStore,
  DAY_MS,
  HOUR_MS,
  NOW,
  randomRecord,
  readAll,
} from "./contract/counts-agree.ts";

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
  const records = await readAll(store);

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
