import assert from "node:assert/strict";
import { test } from "node:test";
import { quantile } from "#lib/core/verbs/activity/quantile.ts";

test("a quantile is the nearest rank of all durations", () => {
  const hundred = new Map(Array.from({ length: 100 }, (_, i) => [100 - i, 1]));
  const rows: [Map<number, number>, number, number | null][] = [
    [new Map(), 0.5, null],
    [new Map([[7, 1]]), 0.5, 7],
    [new Map([[7, 1]]), 0.95, 7],
    [hundred, 0.5, 50],
    [hundred, 0.95, 95],
    [hundred, 1, 100],
    [
      new Map([
        [900, 1],
        [1, 19],
      ]),
      0.95,
      1,
    ],
    [
      new Map([
        [900, 2],
        [1, 19],
      ]),
      0.95,
      900,
    ],
  ];
  for (const [durations, part, wanted] of rows) assert.equal(quantile(durations, part), wanted);
});
