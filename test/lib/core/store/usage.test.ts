import assert from "node:assert/strict";
import { test } from "node:test";
import { testStore } from "#test/kit/store.ts";

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 1000;

test("calls of the last 30 days are counted by tool, with the last one (spec 000 §2.5)", async (t) => {
  const { usage } = await testStore(t);
  void usage.count("git:log", NOW - 40 * DAY);
  void usage.count("git:log", NOW - 29 * DAY);
  void usage.count("git:log", NOW - 5);
  void usage.count("git:log", NOW - 7);
  await usage.count("mail:send", NOW - 30 * DAY);

  assert.deepEqual([...usage.last30Days(NOW)], [["git:log", { count: 3, lastUsed: NOW - 5 }]]);
  assert.deepEqual(usage.last30Days(NOW - DAY).get("mail:send"), { count: 1, lastUsed: NOW - 30 * DAY });
});

test("counts add up over restarts, and in memory while they wait", async (t) => {
  const first = await testStore(t);
  await first.usage.count("a:b", NOW);
  assert.equal(first.usage.last30Days(NOW).get("a:b")?.count, 1);
  void first.usage.count("a:b", NOW + 1);
  assert.equal(first.usage.last30Days(NOW).get("a:b")?.count, 2);
  await first.close();

  const second = await testStore(t, { dir: first.dir });
  const waiting = second.usage.count("a:b", NOW + 2);

  assert.deepEqual(second.usage.last30Days(NOW).get("a:b"), { count: 3, lastUsed: NOW + 2 });
  await waiting;
  await second.usage.count("a:b", NOW - 1);
  assert.deepEqual(second.usage.last30Days(NOW).get("a:b"), { count: 4, lastUsed: NOW + 2 });
});

test("days that count no more are forgotten on a new day", async (t) => {
  const store = await testStore(t);
  await store.usage.count("a:b", NOW);
  await store.usage.count("a:b", NOW + 31 * DAY);
  await store.close();

  const { usage } = await testStore(t, { dir: store.dir });

  assert.equal(usage.last30Days(NOW).get("a:b")?.count, 1, "only the new day is left");
});
