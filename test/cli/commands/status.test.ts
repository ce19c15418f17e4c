import assert from "node:assert/strict";
import { test } from "node:test";
import { upTime } from "#cli/commands/status.ts";

const ROWS: [seconds: number, text: string][] = [
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min 0 s"],
  [3661, "1 h 1 min"],
  [90_061, "1 d 1 h"],
];
for (const [seconds, text] of ROWS)
  test(`${seconds} seconds are "${text}"`, () => {
    assert.equal(upTime(seconds), text);
  });
