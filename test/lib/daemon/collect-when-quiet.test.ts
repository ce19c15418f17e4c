import assert from "node:assert/strict";
import { test } from "node:test";
import { measureMemory } from "node:vm";
import { collectAtOnce, collectWhenQuiet, saveMemory, startCollection } from "#lib/daemon/collect-when-quiet.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/upstream.ts";

const NOTHING_KEPT = {
  reportsRequests: true,
  residentMb: () => 100,
  collectAtOnce: () => assert.fail("nothing was kept"),
};

test("a collection follows each time of work, once it is quiet and nobody waits for an answer", async () => {
  const clock = handClock();
  let [work, answering, collections] = [0, false, 0];
  const { work: request, stop } = collectWhenQuiet({
    ...NOTHING_KEPT,
    clock,
    workMs: () => work,
    isAnswering: () => answering,
    collect: () => {
      collections++;
      work += 100;
      return () => true;
    },
    saveMemory: () => {},
  });
  /** Two seconds with so much work in them. */
  const step = async (ms: number, isCallOpen = false) => {
    work += ms;
    if (ms > 0) request();
    answering = isCallOpen;
    await clock.advance(2000);
    return collections;
  };
  /** Until V8 no longer saves memory; its work during that time does not count. */
  const rest = async () => {
    for (let i = 0; i < 12; i++) await step(0);
    return collections;
  };

  const counts = [
    await step(900), // the start
    await step(400),
    await step(0),
    await step(30), // not quiet any more
    await step(0),
    await step(0),
    await step(0), // 1: quiet for three checks
    await step(5),
    await step(1),
    await step(700), // calls
    await step(10),
    await step(10),
    await step(10, true), // one of them is still open
    await step(10),
    await step(10),
    await step(10), // 2
    await rest(),
    await step(300), // too few calls to be worth it
    await step(0),
    await step(0),
    await step(0),
    await step(300), // together with the others they are
    await step(0),
    await step(0),
    await step(0), // 3
  ];

  assert.deepEqual(counts, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
  stop();
  assert.equal(await step(9000), 3);
  for (let i = 0; i < 4; i++) assert.equal(await step(0), 3);
});

test("a collection follows the start, however quick it was", async () => {
  const clock = handClock();
  let collections = 0;
  const { stop } = collectWhenQuiet({
    ...NOTHING_KEPT,
    clock,
    workMs: () => 100,
    isAnswering: () => false,
    collect: () => {
      collections++;
      return () => true;
    },
    saveMemory: () => {},
  });

  const counts: number[] = [];
  for (let i = 0; i < 30; i++) {
    await clock.advance(2000);
    counts.push(collections);
  }

  assert.deepEqual(counts, [0, 0, 0, ...Array(27).fill(1)]);
  stop();
});

test("the health checks of many servers do not hold a collection up, and bring about none", async () => {
  const clock = handClock();
  let [workMs, collections] = [3000, 0];
  const { work, stop } = collectWhenQuiet({
    ...NOTHING_KEPT,
    clock,
    workMs: () => workMs,
    isAnswering: () => false,
    collect: () => {
      collections++;
      return () => true;
    },
    saveMemory: () => {},
  });
  const rest = async (checks: number, hasRequests: boolean) => {
    for (let i = 0; i < checks; i++) {
      workMs += 130;
      if (hasRequests) work();
      await clock.advance(2000);
    }
    return collections;
  };

  assert.equal(await rest(5, true), 0); // as much work for requests is none of health checks
  assert.equal(await rest(2, false), 0);
  assert.equal(await rest(1, false), 1);
  assert.equal(await rest(60, false), 1);
  stop();
});

test("V8 saves memory from a collection on, while it is quiet, for ten checks", async () => {
  const clock = handClock();
  let [work, collections, isSaving] = [0, 0, false];
  const { stop } = collectWhenQuiet({
    ...NOTHING_KEPT,
    reportsRequests: false,
    clock,
    workMs: () => work,
    isAnswering: () => false,
    collect: () => {
      collections++;
      return () => true;
    },
    saveMemory: (next) => {
      isSaving = next;
    },
  });
  const step = async (ms: number) => {
    work += ms;
    await clock.advance(2000);
    return isSaving;
  };

  const quiet = async () => {
    await step(0);
    await step(0);
    return step(0);
  };
  const states = [await step(900), await quiet(), await step(30), await step(0)];
  for (let i = 0; i < 8; i++) states.push(await step(19));
  states.push(await step(0), await step(0), await step(0));

  assert.deepEqual(states, [false, true, false, ...Array(9).fill(true), false, false, false]);
  assert.equal(collections, 1);
  // The work of V8 itself while it saved memory did not count.
  await step(440);
  assert.equal(await quiet(), false);
  assert.equal(collections, 1);
  await step(60);
  assert.equal(await quiet(), true);
  assert.equal(collections, 2);
  stop();
  assert.equal(isSaving, false);
});

test("V8 no longer saves memory once a request arrives, and again at the next quiet check", async () => {
  const clock = handClock();
  let [workMs, isSaving] = [900, false];
  const { work, stop } = collectWhenQuiet({
    ...NOTHING_KEPT,
    clock,
    workMs: () => workMs,
    isAnswering: () => false,
    collect: () => () => true,
    saveMemory: (next) => {
      isSaving = next;
    },
  });
  await clock.advance(8000);
  const states = [isSaving];

  work();
  states.push(isSaving);
  workMs += 100;
  await clock.advance(2000);
  states.push(isSaving);
  await clock.advance(2000);
  states.push(isSaving);

  assert.deepEqual(states, [true, false, false, true]);
  stop();
});

test("memory that V8 has not returned after a collection is returned in one pause", async () => {
  const clock = handClock();
  let [work, resident, hasReturned] = [900, 100, true];
  const pauses: number[] = [];
  const { stop } = collectWhenQuiet({
    clock,
    reportsRequests: true,
    workMs: () => work,
    isAnswering: () => false,
    collect: () => () => hasReturned,
    saveMemory: () => {},
    residentMb: () => resident,
    collectAtOnce() {
      pauses.push(resident);
      work += 70;
      resident = 110;
    },
  });
  const rest = async (checks = 20) => {
    for (let i = 0; i < checks; i++) await clock.advance(2000);
    return [...pauses];
  };
  const callsThatLeave = (residentMb: number, isReturned: boolean) => {
    work += 900;
    resident = residentMb;
    hasReturned = isReturned;
  };

  assert.deepEqual(await rest(), []); // the start
  callsThatLeave(140, true);
  assert.deepEqual(await rest(), []);
  callsThatLeave(172, false);
  assert.deepEqual(await rest(), []); // only 32 MB more than what V8 had returned to
  callsThatLeave(240, false);
  // Until three quiet checks have passed, and ten with the saving of memory.
  assert.deepEqual(await rest(13), []);
  assert.deepEqual(await rest(1), [240]);
  assert.deepEqual(await rest(), [240]);
  callsThatLeave(143, false); // 110 now
  assert.deepEqual(await rest(), [240, 143]);
  stop();
});

test("a collection in one pause frees memory", () => {
  const fill = () => {
    const garbage = Array.from({ length: 500_000 }, (_, i) => ({ i, text: `text ${i}` }));
    assert.equal(garbage.length, 500_000);
    return process.memoryUsage().heapUsed;
  };
  const full = fill();

  collectAtOnce();

  assert.equal("gc" in globalThis, false);
  // Node 20 knows only a small collection with options.
  if (!process.version.startsWith("v20.")) assert.ok(process.memoryUsage().heapUsed < full - 20e6);
});

test("V8 accepts both settings for its memory", () => {
  saveMemory(true);
  saveMemory(false);
});

test("a collection frees memory that nothing refers to any more, without a warning", async () => {
  const warnings: Error[] = [];
  process.on("warning", (warning) => warnings.push(warning));
  let garbage: unknown[] | undefined = Array.from({ length: 500_000 }, (_, i) => ({ i, text: `text ${i}` }));
  const full = process.memoryUsage().heapUsed;
  assert.ok(garbage.length > 0);
  garbage = undefined;

  const hasCollectedAgain = startCollection();

  await until("the memory is free", () => process.memoryUsage().heapUsed < full - 20e6);
  assert.deepEqual(warnings, []);
  assert.equal(hasCollectedAgain(), false);
  await measureMemory({ mode: "summary", execution: "eager" });
  assert.equal(hasCollectedAgain(), true);
});
