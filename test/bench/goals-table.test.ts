import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, type Report, SAVED, verdictOf, withGoals } from "./goals-table.ts";

test("a goal is passed up to its bound, short beyond it, and open where nothing was measured", () => {
  const goal = { what: "x", goal: 20, unit: "ms" };

  const rows = [
    { ...goal, is: "at most", measured: 20 },
    { ...goal, is: "at most", measured: 20.1 },
    { ...goal, is: "at least", measured: 20 },
    { ...goal, is: "at least", measured: 19.9 },
    { ...goal, is: "at least" },
  ] as const;

  assert.deepEqual(rows.map(verdictOf), ["pass", "short", "pass", "short", "not measured here"]);
});

test("the page shows the run that is stored beside it", () => {
  const page = readFileSync(PAGE, "utf8");
  const report = JSON.parse(readFileSync(SAVED, "utf8")) as Report;

  assert.equal(withGoals(page, report), page);
});
