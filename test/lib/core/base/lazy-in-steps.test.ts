import assert from "node:assert/strict";
import { test } from "node:test";
import { lazyInSteps } from "#lib/core/base/lazy-in-steps.ts";

/** Counts how often a value was made; it is made in three steps. */
function counted() {
  let made = 0;
  const value = lazyInSteps(function* () {
    yield;
    yield;
    return ++made;
  });
  return { value, made: () => made };
}

test("a value is made at its first use, once", () => {
  const { value, made } = counted();

  assert.deepEqual([made(), value(), value(), made()], [0, 1, 1, 1]);
});

test("a value that was prepared in steps is not made again", () => {
  const { value, made } = counted();

  const steps = [...value.prepare()].length;

  assert.deepEqual([steps, made(), value(), made()], [2, 1, 1, 1]);
  assert.equal([...value.prepare()].length, 0);
});

test("a value that is used while it is prepared stays the one that was used", () => {
  const { value } = counted();
  const steps = value.prepare();
  steps.next();

  const used = value();
  while (!steps.next().done);

  assert.equal(value(), used);
});
