import assert from "node:assert/strict";
import { test } from "node:test";
import { createByteBudget } from "#lib/core/base/byte-budget.ts";

const MB = 1_000_000;

test("bytes of all holders together stay within the budget, and what one gives back another may take", () => {
  const budget = createByteBudget(() => 10 * MB);
  const [a, b] = [budget.hold(), budget.hold()];

  assert.equal(a.add(6 * MB), true);
  assert.equal(b.add(3 * MB), true);
  assert.equal(b.add(2 * MB), false);
  assert.equal(budget.taken, 9 * MB);
  a.end();
  a.end();
  assert.equal(budget.taken, 3 * MB);
  assert.equal(b.add(2 * MB), true);
  b.end();
  assert.equal(budget.taken, 0);
});

test("large requests do not keep small ones out", () => {
  const budget = createByteBudget(() => 1 * MB);
  assert.equal(budget.hold().add(1 * MB), true);
  const small = budget.hold();

  assert.equal(small.add(200_000), true);
  assert.equal(small.add(200_000), false, "it is not small any more");
});

test("a budget that changes counts from then on, and 0 is no limit", () => {
  let most = 1 * MB;
  const hold = createByteBudget(() => most).hold();

  assert.equal(hold.add(2 * MB), false);
  most = 0;
  assert.equal(hold.add(2 * MB), true);
});
