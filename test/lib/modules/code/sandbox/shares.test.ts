import assert from "node:assert/strict";
import { test } from "node:test";
import { createShares, type Holder, type Shares } from "#lib/modules/code/sandbox/shares.ts";
import { handClock } from "#test/kit/clock.ts";

const a: Holder = { key: "a", admin: false };
const b: Holder = { key: "b", admin: false };
const c: Holder = { key: "c", admin: false };
const admin: Holder = { key: "admin", admin: true };
const settle = () => new Promise((done) => setImmediate(done));

/** Jobs under shares of `size` sandboxes: who holds one, in the order in which they got it. */
function bench(size: number) {
  const clock = handClock();
  const shares = createShares({ size: () => size, clock });
  const holding: { key: string; release(): void }[] = [];
  const got: string[] = [];
  const ended: string[] = [];
  const ask = async (holder: Holder, waitMs = 1000, signal = new AbortController().signal) => {
    const answer = await shares.take(holder, waitMs, signal);
    if (typeof answer === "string") return void ended.push(`${holder.key} ${answer}`);
    got.push(holder.key);
    holding.push({ key: holder.key, release: answer });
  };
  return {
    clock,
    shares,
    got,
    ended,
    async ask(holder: Holder, times = 1, ...more: [number?, AbortSignal?]) {
      for (let i = 0; i < times; i++) void ask(holder, ...more);
      await settle();
    },
    async end(key: string) {
      const at = holding.findIndex((one) => one.key === key);
      assert.ok(at >= 0, `${key} holds nothing`);
      holding.splice(at, 1)[0]!.release();
      await settle();
    },
    count: (key: string) => holding.filter((one) => one.key === key).length,
  };
}
const facts = ({ held, waiting }: Shares) => [held, waiting];

test("one caller holds at most half of the sandboxes, rounded up, and its further jobs wait", async () => {
  for (const [size, most] of [
    [10, 5],
    [5, 3],
    [3, 2],
    [2, 1],
    [1, 1],
  ] as const) {
    const t = bench(size);
    await t.ask(a, 10);
    assert.equal(t.count("a"), most, `${size}`);
    assert.deepEqual(facts(t.shares), [most, 10 - most]);
  }
});

test("callers that are no administrators leave one sandbox for administrators together", async () => {
  const t = bench(10);
  await t.ask(a, 10);
  await t.ask(b, 10);
  await t.ask(c, 10);
  assert.deepEqual(["a", "b", "c"].map(t.count), [5, 4, 0]);

  await t.ask(admin);
  assert.equal(t.count("admin"), 1);
});

test("an administrator may take every sandbox", async () => {
  const t = bench(10);
  await t.ask(admin, 11);

  assert.deepEqual(facts(t.shares), [10, 1]);
});

test("free sandboxes go to the waiting callers in turn, and to each caller's jobs in their order", async () => {
  const t = bench(2);
  await t.ask(admin, 2);
  await t.ask(a, 3);
  await t.ask(b, 2);
  await t.ask(c, 1);
  t.got.length = 0;

  await t.end("admin");
  assert.deepEqual(t.got, ["a"], "the second one stays free for administrators");
  for (const key of ["a", "b", "c", "a", "b"]) await t.end(key);
  assert.deepEqual(t.got, ["a", "b", "c", "a", "b", "a"]);
});

test("waiting ends after its time, and when the asker goes away, and gives nothing away", async () => {
  const t = bench(1);
  await t.ask(a);
  const gone = new AbortController();
  await t.ask(b, 1, 1000);
  await t.ask(c, 1, 5000, gone.signal);
  assert.deepEqual(facts(t.shares), [1, 2]);

  gone.abort();
  await t.clock.advance(1000);
  assert.deepEqual(t.ended, ["c cancelled", "b busy"]);
  assert.deepEqual(facts(t.shares), [1, 0]);

  await t.end("a");
  assert.deepEqual(facts(t.shares), [0, 0]);
  await t.ask(b);
  assert.equal(t.count("b"), 1);
});

test("a caller with many jobs waiting is refused at once, and others are not", async () => {
  const t = bench(1);
  await t.ask(admin);
  await t.ask(a, 60);
  assert.equal(t.shares.waiting, 50);
  assert.deepEqual(t.ended, Array(10).fill("a busy"));

  await t.ask(b);
  assert.equal(t.shares.waiting, 51);
});

test("a permit is given back once, however often that is said", async () => {
  const clock = handClock();
  const shares = createShares({ size: () => 2, clock });
  const release = await shares.take(admin, 0, new AbortController().signal);
  assert.ok(typeof release !== "string");
  release();
  release();
  assert.equal(shares.held, 0);
});
