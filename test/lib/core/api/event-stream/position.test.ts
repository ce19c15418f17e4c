import assert from "node:assert/strict";
import { test } from "node:test";
import { startPosition } from "#lib/core/api/event-stream/position.ts";

const positionId = (number: number) => `abc-${number}`;

test("a returning reader goes on after its last event; a place that means nothing here is known for none", () => {
  const rows: [string | undefined, { after: number; known: boolean }][] = [
    [undefined, { after: 9, known: true }],
    ["", { after: 9, known: true }],
    [positionId(4), { after: 4, known: true }],
    [positionId(9), { after: 9, known: true }],
    [positionId(0), { after: 0, known: true }],
    [positionId(10), { after: 9, known: false }],
    ["abd-4", { after: 9, known: false }],
    [`x${positionId(4)}`, { after: 9, known: false }],
    [`${positionId(4)} `, { after: 9, known: false }],
    [positionId(4).replace("-4", "-04"), { after: 9, known: false }],
    ["4", { after: 9, known: false }],
    ["-4", { after: 9, known: false }],
    ["nonsense", { after: 9, known: false }],
  ];
  for (const [given, wanted] of rows)
    assert.deepEqual(startPosition({ last: 9, positionId }, given), wanted, String(given));
});
