import assert from "node:assert/strict";
import { test } from "node:test";
import { joinPieces } from "#lib/core/base/join-pieces.ts";

const KIB = 1024;

for (const [title, pieces] of [
  ["no piece", []],
  ["a few pieces", ["a", "", "é", "\ud83d", "\ude00"]],
  ["pieces that fill several groups, and a rest", Array.from({ length: 30_000 }, (_, i) => `piece ${i}, `)],
  ["groups that are filled exactly", Array.from({ length: 4 }, (_, i) => String(i).repeat(64 * KIB))],
  ["pieces longer than a group", ["a".repeat(200 * KIB), "b", "c".repeat(200 * KIB)]],
] as const)
  test(`joined text contains each piece once and in order: ${title}`, async () => {
    assert.equal(await joinPieces(pieces), pieces.join(""));
  });
