import assert from "node:assert/strict";
import { test } from "node:test";
import { positionId, startPosition } from "#lib/core/api/event-stream/position.ts";

const boot = { startedAt: 1_700_000_000_000 } as Parameters<typeof positionId>[0];
const app = { boot, events: { last: 9 } } as Parameters<typeof startPosition>[0];

test("a returning reader goes on after its last event; a place that means nothing here is known for none", () => {
  const other = { ...boot, startedAt: boot.startedAt + 1 };
  const rows: [string | undefined, { after: number; known: boolean }][] = [
    [undefined, { after: 9, known: true }],
    ["", { after: 9, known: true }],
    [positionId(boot, 4), { after: 4, known: true }],
    [positionId(boot, 9), { after: 9, known: true }],
    [positionId(boot, 0), { after: 0, known: true }],
    [positionId(boot, 10), { after: 9, known: false }],
    [positionId(other, 4), { after: 9, known: false }],
    [`x${positionId(boot, 4)}`, { after: 9, known: false }],
    [`${positionId(boot, 4)} `, { after: 9, known: false }],
    [positionId(boot, 4).replace("-4", "-04"), { after: 9, known: false }],
    ["4", { after: 9, known: false }],
    ["-4", { after: 9, known: false }],
    ["nonsense", { after: 9, known: false }],
  ];
  for (const [given, wanted] of rows) assert.deepEqual(startPosition(app, given), wanted, String(given));
});
