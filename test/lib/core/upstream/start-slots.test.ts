import assert from "node:assert/strict";
import { test } from "node:test";
import { createStartSlots } from "#lib/core/upstream/start-slots.ts";
import { limitLineRate, OutputThrottle } from "#lib/core/upstream/stdio/throttle.ts";
import { handClock } from "#test/kit/clock.ts";

test("commands start a few at a time, and a slow one makes nobody wait longer than 5 s", async () => {
  const clock = handClock();
  const turns = createStartSlots(clock, 2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  for (const n of [0, 1, 2, 3])
    void turns.take(new AbortController().signal).then((end) => {
      began.push(n);
      ends.push(end);
    });
  await clock.advance(0);
  assert.deepEqual(began, [0, 1]);

  ends[1]!();
  ends[1]!();
  await clock.advance(0);
  assert.deepEqual(began, [0, 1, 2], "an end counts once");
  await clock.advance(5000);

  assert.deepEqual(began, [0, 1, 2, 3]);
});

test("who gives up waiting for a turn takes none", async () => {
  const clock = handClock();
  const turns = createStartSlots(clock, 1);
  const end = await turns.take(new AbortController().signal);
  const caller = new AbortController();
  const waiting = turns.take(caller.signal);
  caller.abort();

  await assert.rejects(waiting, { code: "cancelled" });
  end();

  (await turns.take(new AbortController().signal))();
});

test("a noisy source gets so many lines a window, and one that says how many more there were", async () => {
  const clock = handClock();
  const out: string[] = [];
  const write = limitLineRate(clock, { lines: 2, windowMs: 1000 }, (line) => out.push(line));

  for (const line of ["a", "b", "c", "d"]) write(line);
  await clock.advance(1000);
  write("e");

  assert.deepEqual(out, ["a", "b", "… 2 more lines omitted", "e"]);
});

test("a stream that floods is paused for the rest of a tenth of a second; a busy one is not", async () => {
  const clock = handClock();
  const did: string[] = [];
  const gate = new OutputThrottle(clock, { pause: () => did.push("pause"), resume: () => did.push("resume") });

  for (let i = 0; i < 900; i++) gate.tick();
  await clock.advance(200);
  for (let i = 0; i < 900; i++) gate.tick();
  assert.deepEqual(did, []);

  for (let i = 0; i < 2000; i++) gate.tick();
  assert.deepEqual(did, ["pause"]);
  await clock.advance(100);
  assert.deepEqual(did, ["pause", "resume"]);
});
