import assert from "node:assert/strict";
import { test } from "node:test";
import { runStepsToEnd } from "#lib/core/base/loop-share.ts";
import { bestFirst } from "#lib/core/catalog/best-first.ts";

test("walking best first gives what sorting gives, for any length and order, also after a walk that ended early", () => {
  let seed = 3;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % 50;
  };
  for (let length = 0; length < 60; length++) {
    const items = Array.from({ length }, (_, i) => ({ n: random(), i }));
    const before = (a: { n: number; i: number }, b: { n: number; i: number }) =>
      a.n > b.n || (a.n === b.n && a.i < b.i);
    const sorted = [...items].sort((a, b) => b.n - a.n || a.i - b.i);
    const walk = runStepsToEnd(bestFirst([...items], before));
    const [first] = walk;
    assert.deepEqual([first, [...walk], [...walk]], [sorted[0], sorted, sorted]);
  }
});

test("a walk that ends early has looked at few", () => {
  let asked = 0;
  const items = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_000);
  const steps = bestFirst(items, (a, b) => {
    asked++;
    return a < b;
  });
  const walk = runStepsToEnd(steps)[Symbol.iterator]();
  assert.deepEqual([walk.next().value, walk.next().value, walk.next().value], [0, 1, 2]);
  assert.ok(asked < 25_000, `${asked} comparisons`);
});
