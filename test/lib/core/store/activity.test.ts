import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ActivityFilter } from "#lib/core/schema/activity.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { seeded } from "#test/kit/random.ts";
import { activityRecord, testStore } from "#test/kit/store.ts";

test("walking goes on in slices while others write, and sees no newer record", async (t) => {
  const store = await testStore(t);
  const many = Array.from({ length: 1000 }, (_, i) => activityRecord({ id: `n${i}`, at: 1 + Math.floor(i / 7) }));
  await Promise.all(many.map((record) => store.activity.add(record)));
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  t.after(() => clearInterval(counting));

  const seen: string[] = [];
  for await (const { id } of store.activity.walk({})) {
    seen.push(id);
    if (seen.length % 100 === 0) await store.activity.add(activityRecord({ at: 10_000 }));
  }

  assert.deepEqual(seen, many.map((r) => r.id).reverse());
  assert.ok(turns > 0, "nobody else had a turn");
});

test("records that are added while a sweep runs are counted by it", async (t) => {
  const store = await testStore(t);
  const add = (count: number, from: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => store.activity.add(activityRecord({ at: from + i }))));
  await add(1000, 1);

  const sweep = store.activity.sweep(0, 100);
  await add(500, 5000);

  assert.equal(await sweep, 1400);
  assert.equal((await store.activity.select({}, { limit: 1 })).total, 100);
  assert.equal((await store.activity.select({ before: 5400 }, { limit: 1 })).total, 0, "the newest stay");
});

test("a sweep takes the oldest until the database is no larger than it may be", async (t) => {
  const store = await testStore(t);
  const response = "x".repeat(10_000);
  await Promise.all(Array.from({ length: 1000 }, (_, i) => store.activity.add(activityRecord({ at: i, response }))));

  assert.equal(await store.activity.sweep(0, 0, { maxBytes: 100 * 1024 * 1024 }), 0);
  const gone = await store.activity.sweep(0, 0, { maxBytes: 6 * 1024 * 1024 });

  assert.ok(gone >= 400 && gone <= 800, `${gone} went`);
  const { records, total } = await store.activity.select({}, { limit: 1 });
  assert.deepEqual([total, records[0]?.at], [1000 - gone, 999]);
});

test("a sweep that is called off ends after the slice under way", async (t) => {
  const store = await testStore(t);
  await Promise.all(Array.from({ length: 900 }, (_, i) => store.activity.add(activityRecord({ at: i }))));
  const off = new AbortController();

  const sweep = store.activity.sweep(10_000, 0, { signal: off.signal });
  off.abort();

  assert.equal(await sweep, 200);
  assert.equal(await store.activity.sweep(10_000, 0, { signal: off.signal }), 0);
});

test("after a large sweep the file is smaller", async (t) => {
  const store = await testStore(t);
  const response = "x".repeat(20_000);
  await Promise.all(Array.from({ length: 1500 }, (_, i) => store.activity.add(activityRecord({ at: i, response }))));
  await store.activity.sweep(0, 1500);
  const path = join(store.dir, DATABASE_FILE);
  const before = statSync(path).size + statSync(`${path}-wal`).size;

  await store.activity.sweep(1400, 0);

  await store.close();
  const left = statSync(path).size;
  assert.ok(left < before / 3, `${before} bytes became ${left}`);
});

test("beyond 100,000 waiting records further ones are refused and counted in one line", async (t) => {
  const store = await testStore(t);

  const outcomes = await Promise.allSettled(
    Array.from({ length: 100_010 }, (_, i) => store.activity.add(activityRecord({ at: i }))),
  );

  const refused = outcomes.filter((o) => o.status === "rejected");
  assert.equal(refused.length, 10);
  const lines = store.log.lines.filter((line) => line.includes("dropped"));
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /\b10\b/);
  await store.activity.add(activityRecord({ at: 100_001, type: "preflight" }));
  assert.equal((await store.activity.select({}, { limit: 1 })).total, 100_001);
  assert.equal((await store.activity.select({ type: ["preflight"] }, { limit: 1 })).total, 1);
});

test("a tally counts what a walk finds, by kind, duration and piece of time", async (t) => {
  const store = await testStore(t);
  const random = seeded(7);
  const pick = <T>(...of: T[]) => random.pick(of);
  await Promise.all(
    Array.from({ length: 2500 }, (_, i) =>
      store.activity.add(
        activityRecord({
          at: 1 + i * 10,
          type: pick("tool_call", "policy_decision"),
          status: pick("success", "error"),
          ...pick({ server_name: "git", tool_name: pick("log", "diff") }, { server_name: "mail" }, {}),
          ...pick({ duration_ms: pick(1, 2.5) }, {}),
          ...pick({ request_bytes: 10, response_bytes: i }, { request_bytes: 3 }, {}),
        }),
      ),
    ),
  );
  for (const filter of [{}, { server: "git", after: 5000 }, { before: 12_000, status: "error" }] as ActivityFilter[])
    for (const durations of [false, true]) {
      const wanted = new Map<string, number[]>();
      const wantedSlots = new Map<string, number[]>();
      for await (const r of store.activity.walk(filter)) {
        const { request_bytes: sent, response_bytes: got } = r;
        const key = [r.type, r.status, r.server_name, r.tool_name].join();
        gather(wanted, key, [1, r.at, Number(sent !== undefined), sent ?? 0, Number(got !== undefined), got ?? 0]);
        if (durations && r.duration_ms !== undefined) gather(wanted, `${key} ${r.duration_ms}`, [1]);
        if (r.server_name !== undefined)
          gather(wantedSlots, [r.status, Math.floor(r.at / 6000)].join(), [1, 0, got ?? 0]);
      }
      const found = new Map<string, number[]>();
      for await (const g of store.activity.tally(filter, { durations })) {
        const key = [g.type, g.status, g.server_name, g.tool_name].join();
        const sums = [g.sized_requests, g.request_bytes, g.sized_responses, g.response_bytes];
        gather(found, key, [g.count, g.last_at, ...sums]);
        for (const [ms, count] of g.durations ?? []) gather(found, `${key} ${ms}`, [count]);
      }
      const slots = new Map<string, number[]>();
      for await (const { slot, status, count, response_bytes } of store.activity.tallySlots(filter, 6000))
        gather(slots, [status, slot].join(), [count, 0, response_bytes]);
      assert.deepEqual(found, wanted);
      assert.deepEqual(slots, wantedSlots);
      assert.ok(found.size > 3 && slots.size > 1);
    }
});

/** Adds up, but for the second number, of which the largest counts. */
function gather(into: Map<string, number[]>, key: string, numbers: number[]): void {
  const before = into.get(key) ?? numbers.map(() => 0);
  into.set(
    key,
    numbers.map((n, i) => (i === 1 ? Math.max(n, before[i]!) : n + before[i]!)),
  );
}

test("walking from record to record gives what a filter leaves, newest first, while records are added and swept", async (t) => {
  const store = await testStore(t);
  const r = seeded(5);
  const servers = ["git", "web", "mail"];
  const made = (at: number) =>
    activityRecord({ at, server_name: r.pick(servers), type: r.pick(["tool_call", "preflight"]) });
  // Many share a moment, so that the order among equals matters; enough that a dense filter is not remembered whole.
  await Promise.all(Array.from({ length: 4500 }, (_, n) => store.activity.add(made(Math.floor(n / 4)))));
  const filters: ActivityFilter[] = [
    {},
    { server: "git" },
    { type: ["tool_call"], servers: new Set(["web"]) },
    { after: 300, before: 900 },
    { server: "mail", after: 1000 },
    { server: "none" },
  ];
  for (const filter of filters) {
    const wanted: string[] = [];
    for await (const { id } of store.activity.walk(filter)) wanted.push(id);

    const walked: string[] = [];
    for (let after: { at: number; id: string } | undefined; ; ) {
      const page = await store.activity.select(filter, { limit: 97, ...(after && { after }) });
      assert.equal(page.isCapped, false);
      walked.push(...page.records.map(({ id }) => id));
      const last = page.records.at(-1);
      if (!last) break;
      after = last;
      if (walked.length < 400) await store.activity.add(made(5000));
    }
    assert.deepEqual(walked, wanted, JSON.stringify(filter));

    const all: string[] = [];
    for await (const { id } of store.activity.walk(filter)) all.push(id);
    for (const offset of [0, 1, 50, 1000, 2500, 9999]) {
      const { records, ...page } = await store.activity.select(filter, { limit: 10, offset });
      assert.deepEqual(
        [records.map(({ id }) => id), page],
        [all.slice(offset, offset + 10), { total: all.length, isCapped: false }],
        `${JSON.stringify(filter)} from ${offset}`,
      );
    }
  }
});

test("beyond 100,000 records a total is exact, or says that counting stopped; every record is reached", async (t) => {
  const store = await testStore(t);
  for (let n = 0; n < 3; n++)
    await Promise.all(
      Array.from({ length: 36_000 }, (_, i) =>
        store.activity.add(activityRecord({ at: n * 36_000 + i, server_name: "git" })),
      ),
    );

  const all = await store.activity.select({}, { limit: 5, offset: 107_998 });
  assert.deepEqual([all.total, all.isCapped], [108_000, false]);
  assert.deepEqual(
    all.records.map(({ at }) => at),
    [1, 0],
  );
  const filtered = await store.activity.select({ server: "git" }, { limit: 5, offset: 107_998 });
  assert.deepEqual([filtered.total, filtered.isCapped, filtered.records.length], [100_000, true, 2]);

  let turns = 0;
  let over = false;
  const count = () => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  try {
    await store.activity.select({ server: "none" }, { limit: 5 });
  } finally {
    over = true;
  }
  assert.ok(turns > 1, "others had no turn");
  const stop = AbortSignal.abort(new Error("gone"));
  await assert.rejects(store.activity.select({ server: "none" }, { limit: 5 }, stop), /gone/);
});
