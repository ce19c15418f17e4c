import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDiff } from "#cli/line-diff.ts";

const ROWS: [title: string, before: string, now: string, shown: string][] = [
  ["equal texts are all context", "a\nb", "a\nb", "  a\n  b"],
  ["a changed line is taken away and added", "a\nb\nc", "a\nB\nc", "  a\n- b\n+ B\n  c"],
  ["an added line", "a\nc", "a\nb\nc", "  a\n+ b\n  c"],
  ["a removed line", "a\nb\nc", "a\nc", "  a\n- b\n  c"],
  ["from nothing", "", "a", "+ a"],
  ["to nothing", "a", "", "- a"],
  ["another kind of line end is no difference", "a\r\nb", "a\nb", "  a\n  b"],
];
for (const [title, before, now, shown] of ROWS)
  test(`line diff: ${title}`, () => {
    assert.equal(lineDiff(before, now), shown);
  });

test("texts too long to compare are shown as replaced", () => {
  const long = "x\n".repeat(3000);

  assert.equal(
    lineDiff(long, "x")
      .split("\n")
      .filter((l) => l === "+ x").length,
    1,
  );
});
