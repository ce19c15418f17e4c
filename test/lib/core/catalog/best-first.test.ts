import assert from "node:assert/strict";
import { test } from "node:test";
import { bestFirst } from "#lib/core/catalog/best-first.ts";

test("walking best first gives what sorting gives, for any length and order", () => {
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
    assert.deepEqual([...bestFirst([...items], before)], sorted);
  }
});

test("a walk that ends early has looked at few", () => {
  let asked = 0;
  const items = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_000);
  const walk = bestFirst(items, (a, b) => {
    asked++;
    return a < b;
  });
  assert.deepEqual([walk.next().value, walk.next().value, walk.next().value], [0, 1, 2]);
  assert.ok(asked < 25_000, `${asked} comparisons`);
});
