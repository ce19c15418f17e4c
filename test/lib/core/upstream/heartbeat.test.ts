import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { createHeartbeat } from "#lib/core/upstream/heartbeat.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { callTool, stdioServer, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

const late = () => new Fault("call_timeout", { id: "x ping", ms: 5000 });

/** A pulse whose pings answer as told: an error, or undefined for alive. */
function pulse(intervalMs = 30_000) {
  const clock = handClock();
  const world = { answer: undefined as Error | undefined, received: 0, busy: false, pings: 0, dead: "" };
  const watch = createHeartbeat({
    clock,
    intervalMs: () => intervalMs,
    async ping() {
      world.pings++;
      if (world.answer) throw world.answer;
      world.received++;
    },
    received: () => world.received,
    busy: () => world.busy,
    dead: (reason) => (world.dead = reason),
    logMiss: () => {},
  });
  return { clock, world, watch };
}

test("an idle upstream is pinged at every interval", async () => {
  const { clock, world } = pulse();

  await clock.advance(90_000);

  assert.equal(world.pings, 3);
  assert.equal(world.dead, "");
});

test("an upstream that was heard from needs no ping", async () => {
  const { clock, world } = pulse();

  for (let i = 0; i < 10; i++) {
    world.received++;
    await clock.advance(30_000);
  }

  assert.equal(world.pings, 0);
});

test("one miss is no illness, three in a row are the end", async () => {
  const { clock, world } = pulse();
  world.answer = new Error("nothing there");

  await clock.advance(30_000);
  world.answer = undefined;
  await clock.advance(60_000);
  assert.equal(world.dead, "");
  world.answer = new Error("nothing there");
  await clock.advance(14_999);
  assert.equal(world.dead, "");
  await clock.advance(1);

  assert.equal(world.dead, "3 consecutive health checks failed: nothing there");
  const { pings } = world;
  await clock.advance(600_000);
  assert.equal(world.pings, pings, "and that is all");
});

test("a busy upstream may be late with its ping, until a call of its own ran out of time", async () => {
  const { clock, world, watch } = pulse();
  world.answer = late();
  world.busy = true;

  await clock.advance(600_000);
  assert.equal(world.dead, "");

  watch.checkNow();
  await clock.advance(10_000);
  assert.match(world.dead, /did not respond within 5000 ms/);
});

test("doubt takes a look at once and is forgotten when the upstream answers", async () => {
  const { clock, world, watch } = pulse();

  for (let i = 0; i < 5; i++) {
    watch.checkNow();
    watch.checkNow();
    await clock.advance(1);
  }

  assert.equal(world.pings, 5);
  assert.equal(world.dead, "");
});

test("an interval of 0 means no pings", async () => {
  const { clock, world, watch } = pulse(0);
  watch.checkNow();

  await clock.advance(3_600_000);

  assert.equal(world.pings, 0);
});

/** Moves the clock before each look at a condition. */
const moved = (clock: HandClock, ms: number, holds: () => boolean) => async () => {
  await clock.advance(ms);
  return holds();
};

test("an upstream that stops answering is given up and started again", async () => {
  const clock = handClock();
  const all = testUpstreams({ clock, servers: [{ ...stdioServer("deaf", "--deaf"), health_check_interval: "5s" }] });
  const deaf = all.upstream("deaf");
  await until(
    "ready",
    moved(clock, 0, () => deaf.status().state === "Ready"),
  );
  const { pid } = deaf.status();

  await until(
    "an Error",
    moved(clock, 1000, () => deaf.status().state === "Error"),
  );

  assert.match(deaf.status().lastError!, /3 consecutive health checks failed/);
  await until(
    "started again",
    moved(clock, 100, () => deaf.status().state === "Ready"),
  );
  assert.notEqual(deaf.status().pid, pid);
  await all.close();
});

test("pings reach the upstream and keep it Ready", async () => {
  const clock = handClock();
  const all = testUpstreams({ clock, servers: [{ ...stdioServer("one"), health_check_interval: "5s" }] });
  const one = all.upstream("one");
  await until(
    "listed",
    moved(clock, 0, () => all.accepted.has("one")),
  );

  const stats = async () => JSON.parse(textOf(await callTool(one, "stats"))) as { pings: number };
  // The first look sees the traffic of the beginning; the next ones ask.
  for (let i = 0; i < 4; i++) {
    await clock.advance(5000);
    await new Promise((done) => setTimeout(done, 30));
  }

  assert.ok((await stats()).pings >= 2);

  assert.equal(one.status().state, "Ready");
  await all.close();
});
