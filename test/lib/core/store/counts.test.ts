import assert from "node:assert/strict";
import { test } from "node:test";
import { createCounts } from "#lib/core/store/counts.ts";

/** Counts under a clock moved by hand; each count takes as long as it says and is ended by hand. */
function bench() {
  let now = 0;
  let started = 0;
  const counts = createCounts(() => now);
  const pending: { end(): void; stop: AbortSignal }[] = [];
  return {
    counts,
    pending,
    get started() {
      return started;
    },
    pass(ms: number) {
      now += ms;
    },
    slow: (tookMs: number) => (stop: AbortSignal) => {
      const n = ++started;
      return new Promise<number>((done, fail) => {
        stop.addEventListener("abort", () => fail(stop.reason), { once: true });
        pending.push({
          stop,
          end() {
            now += tookMs;
            done(n);
          },
        });
      });
    },
  };
}
const settle = () => new Promise((done) => setImmediate(done));

test("those who ask the same at once share one count", async () => {
  const b = bench();
  const asked = [1, 2, 3].map(() => b.counts.share("a", undefined, b.slow(10)));
  await settle();
  assert.equal(b.started, 1);
  b.pending[0]!.end();

  assert.deepEqual(await Promise.all(asked), Array(3).fill({ result: 1, ageMs: 0 }));
});

test("the result of a count that was under way is as old as its beginning", async () => {
  const b = bench();
  const first = b.counts.share("a", undefined, b.slow(10));
  await settle();
  b.pass(30);
  const second = b.counts.share("a", undefined, b.slow(10));
  b.pending[0]!.end();

  assert.deepEqual(await Promise.all([first, second]), [
    { result: 1, ageMs: 0 },
    { result: 1, ageMs: 30 },
  ]);
});

test("a quick count is made anew each time, a slow one is given again in proportion to what it took", async () => {
  const b = bench();
  const ask = async (key: string, tookMs: number) => {
    const answer = b.counts.share(key, undefined, b.slow(tookMs));
    await settle();
    b.pending.pop()?.end();
    return answer;
  };

  await ask("quick", 10);
  assert.equal((await ask("quick", 10)).result, 2);

  assert.deepEqual(await ask("slow", 1000), { result: 3, ageMs: 0 });
  b.pass(5000);
  assert.deepEqual(await ask("slow", 1000), { result: 3, ageMs: 6000 });
  b.pass(15_001);
  assert.deepEqual(await ask("slow", 1000), { result: 4, ageMs: 0 });

  await ask("slowest", 600_000);
  b.pass(60_001);
  assert.deepEqual(await ask("slowest", 600_000), { result: 6, ageMs: 0 }, "never older than a minute after its end");
});

test("a count goes on while anybody waits for it, and is stopped when the last one goes away", async () => {
  const b = bench();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = b.counts.share("a", one.signal, b.slow(10));
  const second = b.counts.share("a", other.signal, b.slow(10));
  await settle();

  one.abort();
  await assert.rejects(first, { code: "cancelled" });
  assert.equal(b.pending[0]!.stop.aborted, false);

  other.abort();
  await assert.rejects(second, { code: "cancelled" });
  assert.equal(b.pending[0]!.stop.aborted, true);

  const again = b.counts.share("a", undefined, b.slow(10));
  await settle();
  b.pending[1]!.end();
  assert.equal((await again).result, 2);
});

test("two counts run at once, others wait, and one that went away while it waited is never begun", async () => {
  const b = bench();
  const gone = new AbortController();
  const asked = ["a", "b", "c"].map((key) => b.counts.share(key, key === "c" ? gone.signal : undefined, b.slow(10)));
  const last = b.counts.share("d", undefined, b.slow(10));
  await settle();
  assert.equal(b.started, 2);

  gone.abort();
  await assert.rejects(asked[2]!, { code: "cancelled" });
  b.pending[0]!.end();
  await settle();
  assert.equal(b.started, 3);
  b.pending[1]!.end();
  b.pending[2]!.end();
  assert.deepEqual([(await asked[0]!).result, (await asked[1]!).result, (await last).result], [1, 2, 3]);
});

test("a count that fails is told to all who wait, is not kept, and gives its permit back", async () => {
  const b = bench();
  const fails = () => Promise.reject(new Error("disk"));
  for (let i = 0; i < 5; i++) await assert.rejects(b.counts.share("a", undefined, fails), /disk/);

  const after = b.counts.share("a", undefined, b.slow(10));
  await settle();
  b.pending[0]!.end();
  assert.equal((await after).result, 1);
});

test("results are kept for a bounded number of questions", async () => {
  const b = bench();
  for (let i = 0; i < 60; i++) {
    const answer = b.counts.share(String(i), undefined, b.slow(1000));
    await settle();
    b.pending.pop()!.end();
    await answer;
  }

  const first = b.counts.share("0", undefined, b.slow(1000));
  await settle();
  assert.equal(b.started, 61);
  b.pending.pop()!.end();
  await first;
});
