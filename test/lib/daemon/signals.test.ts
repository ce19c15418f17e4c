import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { Logger } from "#lib/core/log/logger.ts";
import { onSignals } from "#lib/daemon/stop.ts";
import { handClock } from "#test/kit/clock.ts";

const log = { info() {}, error() {} } as unknown as Logger;

function listening(stop: () => Promise<void>, isInTerminal = false) {
  const from = new EventEmitter();
  const exits: number[] = [];
  const clock = handClock();
  onSignals({ log, stop, clock, isInTerminal, exit: (code) => exits.push(code) }, from as unknown as NodeJS.Process);
  return { from, exits, clock };
}
const never = () => new Promise<void>(() => {});

test("a signal stops in order and exits 0", async () => {
  const { from, exits, clock } = listening(async () => {});

  from.emit("SIGTERM", "SIGTERM");
  await clock.advance(0);

  assert.deepEqual(exits, [0]);
});

test("SIGHUP stops a proxy in a terminal, which was closed, and no other", async () => {
  for (const isInTerminal of [true, false]) {
    const { from, exits, clock } = listening(async () => {}, isInTerminal);

    from.emit("SIGHUP", "SIGHUP");
    await clock.advance(0);

    assert.deepEqual(exits, isInTerminal ? [129] : []);
  }
});

test("a signal that comes twice at once, from the terminal and from npm, is one", async () => {
  let stops = 0;
  const { from, exits, clock } = listening(async () => {
    stops++;
    await never();
  });

  from.emit("SIGINT", "SIGINT");
  await clock.advance(5);
  from.emit("SIGINT", "SIGINT");

  assert.deepEqual([stops, exits], [1, []]);
});

test("a second signal later stops at once", async () => {
  const { from, exits, clock } = listening(never);

  from.emit("SIGINT", "SIGINT");
  await clock.advance(1000);
  from.emit("SIGINT", "SIGINT");
  from.emit("SIGTERM", "SIGTERM");

  assert.deepEqual(exits, [130, 143]);
});

test("a stop that fails exits 1", async () => {
  const { from, exits, clock } = listening(async () => {
    throw new Error("no");
  });

  from.emit("SIGINT", "SIGINT");
  await clock.advance(0);

  assert.deepEqual(exits, [1]);
});
