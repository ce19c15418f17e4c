import assert from "node:assert/strict";
import { test } from "node:test";
import { textStream } from "#lib/core/api/text-stream.ts";

const NEVER = (error: unknown) => assert.fail(String(error));

function source(...pieces: (string | undefined)[]) {
  const state = { asked: 0, closed: 0 };
  return {
    state,
    next: async () => {
      state.asked++;
      return pieces.shift();
    },
    close: () => void state.closed++,
  };
}

test("a body is made piece by piece, none ahead of the reader, to its end", async () => {
  const from = source("a", "é", undefined);
  const reader = textStream(from, NEVER).getReader();
  await new Promise((turn) => setImmediate(turn));
  assert.equal(from.state.asked, 0);

  assert.deepEqual((await reader.read()).value, new Uint8Array([97]));
  await new Promise((turn) => setImmediate(turn));
  assert.equal(from.state.asked, 1);
  assert.equal(new TextDecoder().decode((await reader.read()).value), "é");
  assert.equal((await reader.read()).done, true);
  assert.equal(from.state.closed, 0);
});

test("a reader that leaves while a piece is on its way closes the source, and nothing breaks", async () => {
  for (const late of ["piece", undefined, new Error("late")]) {
    let arrive = () => {};
    let closed = 0;
    const next = () =>
      new Promise<string | undefined>((done, fail) => {
        arrive = () => (late instanceof Error ? fail(late) : done(late));
      });
    const reader = textStream({ next, close: () => void closed++ }, NEVER).getReader();
    const read = reader.read();

    await reader.cancel();
    arrive();

    assert.equal((await read).done, true);
    assert.equal(closed, 1);
    await new Promise((turn) => setImmediate(turn));
  }
});

test("what breaks is told, and breaks the body", async () => {
  const told: unknown[] = [];
  const next = () => Promise.reject(new Error("the disk is gone"));
  const reader = textStream({ next, close() {} }, (error) => told.push(error)).getReader();

  await assert.rejects(reader.read(), /the disk is gone/);
  assert.equal(told.length, 1);
});
