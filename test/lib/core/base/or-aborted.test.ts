import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { orAborted } from "#lib/core/base/or-aborted.ts";
import { whenAborted } from "#lib/core/base/when-aborted.ts";

const never = () => new Promise<never>(() => {});

test("a wait ends with its promise, and leaves no listener on the signal", async () => {
  const { signal } = new AbortController();

  assert.equal(await orAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(orAborted(Promise.reject(new Error("failed")), signal), /failed/);

  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a wait ends with the signal's reason, also if the signal was aborted before", async () => {
  const abort = new AbortController();
  const begunBefore = [orAborted(never(), abort.signal), whenAborted(abort.signal)];

  abort.abort(new Error("too late"));

  await assert.rejects(begunBefore[0]!, /too late/);
  await begunBefore[1];
  await assert.rejects(orAborted(never(), abort.signal), /too late/);
  await whenAborted(abort.signal);
});

test("a promise that fails after the abort is no unhandled rejection", async (t) => {
  const unhandled = t.mock.fn();
  process.once("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  let fail = (_: Error) => {};
  const late = new Promise((_, reject) => {
    fail = reject;
  });

  await assert.rejects(orAborted(late, AbortSignal.abort(new Error("gone"))), /gone/);
  fail(new Error("late"));
  await new Promise((done) => setImmediate(done));

  assert.equal(unhandled.mock.callCount(), 0);
});
