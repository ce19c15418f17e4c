import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseText, textOfDatabase } from "#lib/modules/cluster/database-text.ts";

for (const [text, stored, back] of [
  ["plain", "plain", "plain"],
  ["\0", "\x100", "\0"],
  ["\x10", "\x101", "\x10"],
  ["\x100\0\x101", "\x1010\x100\x1011", "\x100\0\x101"],
  ["😀", "😀", "😀"],
  ["a\ud83d", "a\ufffd", "a\ufffd"],
  ["\ude00\0", "\ufffd\x100", "\ufffd\0"],
] as const)
  test(`${JSON.stringify(text)} is stored as ${JSON.stringify(stored)}`, () => {
    assert.equal(databaseText(text), stored);
    assert.equal(textOfDatabase(stored), back);
  });
