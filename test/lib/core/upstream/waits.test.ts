import assert from "node:assert/strict";
import { test } from "node:test";
import { createConnectionLifecycle } from "#lib/core/upstream/connection-lifecycle.ts";
import { SignInNeeded, UpstreamError } from "#lib/core/upstream/errors.ts";
import type { OpenChannel } from "#lib/core/upstream/open.ts";
import { handClock } from "#test/kit/clock.ts";

/** A connection without a network: `opens` says how each attempt goes. */
function life(opens: () => Promise<OpenChannel> | OpenChannel) {
  const clock = handClock();
  const moves: string[] = [];
  const made = createConnectionLifecycle({
    clock,
    random: () => 0,
    acquireStartSlot: async () => () => {},
    open: async () => opens(),
    attemptMs: () => 30_000,
    ready: () => {},
    gone: () => {},
    changed: (state) => moves.push(state),
    defect: (message) => assert.fail(message),
  });
  const wait = () => (made.status().nextAttemptAt ?? clock.now()) - clock.now();
  return { clock, moves, life: made, wait };
}
const opened = (closed: string[] = []) =>
  ({
    exchange: { end: () => {} },
    transport: { kind: "http", close: async () => void closed.push("closed") },
    handshake: { protocolVersion: "2025-11-25" },
  }) as unknown as OpenChannel;

test("a connection that breaks soon after each success waits longer each time, one that lived waits 1 s", async () => {
  const { clock, life: one, wait } = life(() => opened());
  const waits: number[] = [];
  await one.start();
  for (const livedMs of [10, 10, 10, 60_000, 10]) {
    await clock.advance(livedMs);
    one.lost(one.channel!, new UpstreamError("broke"));
    waits.push(wait());
    await clock.advance(wait());
  }

  assert.deepEqual(waits, [1000, 2000, 4000, 1000, 1000]);
  assert.equal(one.status().reconnects, 5);
});

test("failures are counted and never end; a success resets them", async () => {
  let works = false;
  const {
    clock,
    life: one,
    wait,
  } = life(() => {
    if (!works) throw new UpstreamError("no");
    return opened();
  });
  await assert.rejects(one.start());
  const waits: number[] = [];
  for (let i = 0; i < 40; i++) {
    waits.push(wait());
    await clock.advance(wait());
  }

  assert.deepEqual(waits.slice(0, 10), [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000]);
  assert.equal(waits.at(-1), 300_000);
  assert.equal(one.status().attempts, 41);
  works = true;
  await clock.advance(wait());
  assert.deepEqual([one.status().state, one.status().attempts], ["Ready", 0]);
});

test("a refusal for want of sign-in waits minutes, hours, a day", async () => {
  const {
    clock,
    life: one,
    wait,
  } = life(() => {
    throw new SignInNeeded(undefined);
  });
  await assert.rejects(one.start());
  const waits: number[] = [];
  for (let i = 0; i < 6; i++) {
    waits.push(wait() / 60_000);
    await clock.advance(wait());
  }

  assert.deepEqual(waits, [5, 15, 60, 240, 1440, 1440]);
  assert.equal(one.status().authRequired, true);
});

test("an attempt that hangs ends after its time; what it opens later is closed again", async () => {
  const closed: string[] = [];
  let finish: (opened: OpenChannel) => void = () => {};
  const { clock, life: one } = life(() => new Promise((done) => (finish = done)));
  const attempt = assert.rejects(one.start(), /not ready within 30 s/);
  await clock.advance(30_000);
  await attempt;
  assert.equal(one.status().state, "Error");

  finish(opened(closed));
  await clock.advance(0);

  assert.deepEqual(closed, ["closed"]);
});

test("stop ends an attempt and all waiting; a late loss of an old connection changes nothing", async () => {
  const { clock, moves, life: one } = life(() => opened());
  await one.start();
  const old = one.channel!;
  await one.stop();
  one.lost(old, new UpstreamError("late"));
  await clock.advance(3_600_000);
  assert.deepEqual(moves, ["Connecting", "Ready", "Disconnected"]);

  const again = one.start();
  again.catch(() => {});
  await one.stop();

  await assert.rejects(again, /stopped/);
  await clock.advance(3_600_000);
  assert.equal(one.status().state, "Disconnected");
  assert.equal(one.status().nextAttemptAt, undefined);
});

test("all who ask for a connection share one attempt", async () => {
  let opens = 0;
  const { life: one } = life(() => {
    opens++;
    return opened();
  });

  await Promise.all([one.start(), one.start(), one.start()]);
  await one.start();

  assert.equal(opens, 1);
});
