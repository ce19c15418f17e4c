import assert from "node:assert/strict";
import { test } from "node:test";
import { collectWhenQuiet, startCollection } from "#lib/daemon/collect-when-quiet.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/upstream.ts";

test("a collection follows each time of work, once it is quiet and nobody waits for an answer", async () => {
  const clock = handClock();
  let [work, answering, collections] = [0, false, 0];
  const stop = collectWhenQuiet({
    clock,
    workMs: () => work,
    isAnswering: () => answering,
    collect: () => {
      collections++;
      work += 100;
    },
  });
  /** Two seconds with so much work in them. */
  const step = async (ms: number, isCallOpen = false) => {
    work += ms;
    answering = isCallOpen;
    await clock.advance(2000);
    return collections;
  };

  const counts = [
    await step(900), // the start
    await step(400),
    await step(0), // 1: quiet
    await step(5),
    await step(1),
    await step(700), // calls
    await step(10, true), // one of them is still open
    await step(10), // 2
    await step(300), // too few calls to be worth it
    await step(0),
    await step(0),
    await step(300), // together with the others they are
    await step(0), // 3
  ];

  assert.deepEqual(counts, [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]);
  stop();
  assert.equal(await step(9000), 3);
  assert.equal(await step(0), 3);
});

test("a collection frees memory that nothing refers to any more, without a warning", async () => {
  const warnings: Error[] = [];
  process.on("warning", (warning) => warnings.push(warning));
  let garbage: unknown[] | undefined = Array.from({ length: 500_000 }, (_, i) => ({ i, text: `text ${i}` }));
  const full = process.memoryUsage().heapUsed;
  assert.ok(garbage.length > 0);
  garbage = undefined;

  startCollection();

  await until("the memory is free", () => process.memoryUsage().heapUsed < full - 20e6);
  assert.deepEqual(warnings, []);
});
