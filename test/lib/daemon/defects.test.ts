import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { scrubText } from "#lib/core/secrets/mask/text.ts";
import { onDefects } from "#lib/daemon/defects.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

function watched(stop: (reason: string) => Promise<void>) {
  const [from, clock, log, codes] = [new EventEmitter(), handClock(), heardLog("info", scrubText), [] as number[]];
  onDefects({ log, stop, clock, exit: (code) => codes.push(code) }, from as unknown as NodeJS.Process);
  return { from, clock, log, codes };
}

test("an unhandled rejection is told and survived", () => {
  const { from, log, codes } = watched(() => assert.fail("nothing is stopped"));

  from.emit("unhandledRejection", new Error(`no way with ${SECRET}`));

  assert.match(log.lines.join("\n"), /an unhandled rejection.*no way/s);
  assert.ok(!log.lines.join("\n").includes(SECRET));
  assert.deepEqual(codes, []);
});

test("an uncaught exception ends the proxy once, in order, and with exit code 1", async () => {
  let stops = 0;
  const { from, log, codes } = watched(async () => void stops++);

  from.emit("uncaughtException", new Error("torn"));
  from.emit("uncaughtException", new Error("torn again"));
  await new Promise(setImmediate);

  assert.deepEqual([stops, codes], [1, [1]]);
  assert.match(log.lines.join("\n"), /torn.*torn again/s);
});

test("an end that hangs after such a failure is cut short", async () => {
  const { from, clock, codes } = watched(() => new Promise(() => {}));

  from.emit("uncaughtException", new Error("torn"));
  await clock.advance(4999);
  assert.deepEqual(codes, []);
  await clock.advance(1);

  assert.deepEqual(codes, [1]);
});
