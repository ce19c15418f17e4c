import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { createLimiter } from "#lib/core/base/limiter.ts";
import { handClock } from "#test/kit/clock.ts";

const SERVER = { scope: "server", server: "git" } as const;
const codeOf = (error: unknown) => (error instanceof Fault ? error.code : String(error));

/** Takes a place and notes its number when it has it. */
function taker(limiter: ReturnType<typeof createLimiter>, order: number[], waitMs = 1000) {
  return async (n: number) => {
    await limiter.take(waitMs);
    order.push(n);
  };
}

test("without a limit every place is given at once and nothing is queued", () => {
  const limiter = createLimiter(SERVER, handClock());

  for (let i = 0; i < 1000; i++) assert.equal(limiter.take(0), undefined);

  assert.equal(limiter.active, 1000);
});

test("waiters are served strictly in the order they came", async () => {
  const clock = handClock();
  const limiter = createLimiter(SERVER, clock, { slots: 1, queue: 10 });
  const order: number[] = [];
  const all = [0, 1, 2, 3, 4].map(taker(limiter, order));
  await clock.advance(0);
  assert.deepEqual(order, [0]);

  for (let i = 0; i < 4; i++) {
    limiter.release();
    await clock.advance(0);
  }

  await Promise.all(all);
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
});

test("a newcomer never overtakes a waiter", async () => {
  const clock = handClock();
  const limiter = createLimiter(SERVER, clock, { slots: 1, queue: 10 });
  limiter.take(0);
  const first = limiter.take(1000);
  limiter.release();

  const late = limiter.take(1000);

  assert.ok(late, "the place freed went to the waiter");
  await first;
  limiter.release();
  await late;
});

test("a full queue refuses at once, with scope, limit and when to try again", () => {
  const limiter = createLimiter(SERVER, handClock(), { slots: 2, queue: 1 });
  limiter.take(0);
  limiter.take(0);
  void limiter.take(1000);

  assert.throws(
    () => limiter.take(1000),
    (error: Fault) => {
      assert.equal(error.code, "queue_full");
      assert.deepEqual(error.facts, { scope: "server", server: "git", limit: 2, retryAfterMs: 1000 });
      assert.match(error.message, /server "git" already runs its maximum of 2 concurrent calls/);
      return true;
    },
  );
});

test("queue_size 0 means nobody waits", () => {
  const limiter = createLimiter({ scope: "global" }, handClock(), { slots: 1, queue: 0 });
  limiter.take(0);

  assert.throws(() => limiter.take(1000), /the proxy already runs/);
});

test("a wait ends with queue_timeout and leaves the queue", async () => {
  const clock = handClock();
  const limiter = createLimiter(SERVER, clock, { slots: 1, queue: 5 });
  limiter.take(0);
  const waiting = limiter.take(500)!.catch(codeOf);

  await clock.advance(500);

  assert.equal(await waiting, "queue_timeout");
  assert.equal(limiter.waiting, 0);
  limiter.release();
  assert.equal(limiter.active, 0);
});

test("an abort takes a waiter out of the queue", async () => {
  const limiter = createLimiter(SERVER, handClock(), { slots: 1, queue: 5 });
  const caller = new AbortController();
  limiter.take(0);
  const waiting = limiter.take(500, caller.signal)!.catch(codeOf);

  caller.abort();

  assert.equal(await waiting, "cancelled");
  assert.equal(limiter.waiting, 0);
  assert.throws(() => limiter.take(500, caller.signal), { code: "cancelled" });
});

test("raising the limit lets waiters in; lowering it drops nobody who runs", async () => {
  const clock = handClock();
  const limiter = createLimiter(SERVER, clock, { slots: 1, queue: 5 });
  const order: number[] = [];
  const all = [0, 1, 2].map(taker(limiter, order));

  limiter.set({ slots: 3, queue: 5 });
  await Promise.all(all);
  limiter.set({ slots: 1, queue: 0 });

  assert.equal(limiter.active, 3);
  limiter.release();
  limiter.release();
  assert.throws(() => limiter.take(0), { code: "queue_full" });
  limiter.release();
  assert.equal(limiter.take(0), undefined);
});

test("taking the limit away lets every waiter in", async () => {
  const clock = handClock();
  const limiter = createLimiter(SERVER, clock, { slots: 1, queue: 5 });
  const order: number[] = [];
  const all = [0, 1, 2].map(taker(limiter, order));

  limiter.set({ slots: 0, queue: 0 });

  await Promise.all(all);
  assert.equal(limiter.active, 3);
});

test("refuse ends every wait with the reason given", async () => {
  const limiter = createLimiter(SERVER, handClock(), { slots: 1, queue: 5 });
  limiter.take(0);
  const waits = [limiter.take(500)!.catch(codeOf), limiter.take(500)!.catch(codeOf)];

  limiter.refuse(new Fault("upstream_failed", { server: "git", reason: "removed" }));

  assert.deepEqual(await Promise.all(waits), ["upstream_failed", "upstream_failed"]);
  assert.equal(limiter.active, 1);
});

test("retryAfterMs follows how long places are held and how many wait", () => {
  const limiter = createLimiter(SERVER, handClock(), { slots: 1, queue: 1 });
  limiter.take(0);
  limiter.release(2000);
  limiter.take(0);
  limiter.take(1000)?.catch(codeOf);

  assert.throws(
    () => limiter.take(1000),
    (error: Fault) => error.facts.retryAfterMs === 4000,
  );
});
