import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestWords } from "#lib/core/base/nearest.ts";

const COMMANDS = ["list", "add", "remove", "enable", "disable", "quarantine", "unquarantine", "restart", "logs"];
const ROWS: [string, string[], string][] = [
  ["lsit", ["list"], "a swap of neighbours counts one"],
  ["ENABEL", ["enable"], "case does not matter"],
  ["quarantin", ["quarantine", "unquarantine"], "a missing letter, best first"],
  ["un", ["unquarantine"], "a beginning"],
  ["restrat", ["restart"], "a swap in the middle"],
  ["zebra", [], "nothing near"],
  ["", [], "nothing written"],
];
for (const [word, expected, title] of ROWS)
  test(`nearest: ${title}`, () => {
    assert.deepEqual(nearestWords(word, COMMANDS, 3), expected);
  });

test("nearest gives the closest first and no more than asked", () => {
  assert.deepEqual(nearestWords("git:lag", ["git:log", "git:logs", "git:tag", "git:lag2"], 2), ["git:lag2", "git:log"]);
});
