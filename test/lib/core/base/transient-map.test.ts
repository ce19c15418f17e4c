import assert from "node:assert/strict";
import { test } from "node:test";
import { TransientMap } from "#lib/core/base/transient-map.ts";

test("what is under way is what a Map would hold, in its order, however much has come and gone", () => {
  const passing = new TransientMap<number, string>();
  const map = new Map<number, string>();

  for (let i = 0; i < 1000; i++) {
    passing.set(i, `call ${i}`);
    map.set(i, `call ${i}`);
    // Every seventh stays; the others go, some of them late.
    const gone = i - (i % 40) + 3;
    if (gone % 7 !== 0) assert.equal(passing.delete(gone), map.delete(gone));
    assert.equal(passing.size, map.size);
    assert.equal(passing.get(i), map.get(i));
    assert.equal(passing.has(gone), map.has(gone));
  }

  assert.deepEqual([...passing.keys()], [...map.keys()]);
  assert.deepEqual([...passing.values()], [...map.values()]);
  passing.clear();
  assert.deepEqual([passing.size, [...passing.values()]], [0, []]);
});

test("what is there when an iteration begins is met by it, also while everything goes", () => {
  const passing = new TransientMap<number, number>();
  for (let i = 0; i < 200; i++) passing.set(i, i);
  const met: number[] = [];

  for (const value of passing.values()) {
    met.push(value);
    passing.delete(value);
  }

  assert.equal(met.length, 200);
  assert.equal(passing.size, 0);
});
