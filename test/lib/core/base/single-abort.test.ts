import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetAbort, listenForAbort, singleAbortController } from "#lib/core/base/single-abort.ts";

const CONTROLLERS: [name: string, make: () => AbortController][] = [
  ["with a place", singleAbortController],
  ["of Node", () => new AbortController()],
];

for (const [name, make] of CONTROLLERS)
  test(`each listener of a signal ${name} is called once at its abort, except those that were removed`, () => {
    const abort = make();
    const calls: string[] = [];
    const listeners = ["a", "b", "c", "d"].map((id) => ({ handleEvent: () => void calls.push(id) }));

    for (const listener of listeners) listenForAbort(abort.signal, listener);
    forgetAbort(abort.signal, listeners[0]!);
    forgetAbort(abort.signal, listeners[2]!);
    abort.abort();
    abort.abort();

    assert.deepEqual(calls.sort(), ["b", "d"]);
  });

test("the place of a signal is free again when its listener was removed", () => {
  const abort = singleAbortController();
  const calls: number[] = [];
  for (let i = 0; i < 3; i++) {
    const listener = { handleEvent: () => void calls.push(i) };
    listenForAbort(abort.signal, listener);
    if (i < 2) forgetAbort(abort.signal, listener);
  }

  abort.abort();

  assert.deepEqual(calls, [2]);
});
