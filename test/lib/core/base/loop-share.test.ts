import assert from "node:assert/strict";
import { test } from "node:test";
import { loopShare, nextLoopTurn, type Urgency } from "#lib/core/base/loop-share.ts";

/** Keeps the processor busy for longer than a share. */
function spin(ms = 5): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Counts what happens between two turns of the event loop; answers the most until it is stopped. */
function turnWatch() {
  const watch = { now: 0, most: 0, over: false };
  const tick = () => {
    watch.most = Math.max(watch.most, watch.now);
    watch.now = 0;
    if (!watch.over) setImmediate(tick);
  };
  setImmediate(tick);
  return watch;
}

async function work(pieces: number, urgency: Urgency, done: () => void): Promise<void> {
  await nextLoopTurn(urgency);
  const pause = loopShare(urgency);
  for (let i = 0; i < pieces; i++) {
    spin();
    done();
    await pause();
  }
}

test("however many works are under way, one piece of one of them runs in a turn of the event loop", async () => {
  const watch = turnWatch();
  const works = Array.from({ length: 8 }, (_, i) => work(3, i % 2 ? "asked" : "background", () => watch.now++));

  await Promise.all(works);

  watch.over = true;
  assert.equal(watch.most, 1);
});

test("work that somebody waits for has every other turn, however much background work there is", async () => {
  const order: Urgency[] = [];
  const background = Array.from({ length: 20 }, () => work(1, "background", () => order.push("background")));
  await work(3, "asked", () => order.push("asked"));

  assert.ok(order.lastIndexOf("asked") <= 6, order.join(" "));
  await Promise.all(background);
  assert.equal(order.length, 23);
});

test("background work is served in the order in which it came", async () => {
  const order: number[] = [];

  await Promise.all([1, 2, 3, 4].map((n) => nextLoopTurn("background").then(() => order.push(n))));

  assert.deepEqual(order, [1, 2, 3, 4]);
});

test("short work is not interrupted", () => {
  assert.equal(loopShare()(), undefined);
});
