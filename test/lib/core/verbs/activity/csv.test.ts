import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cell, csvLine } from "#lib/core/verbs/activity/csv.ts";

test("cells are quoted where they must be, and never a formula", () => {
  const rows: [Cell, string][] = [
    ["plain", "plain"],
    ["", ""],
    [undefined, ""],
    [12.5, "12.5"],
    [-3, "-3"],
    [true, "true"],
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\rlines", '"two\rlines"'],
    [" edge", '" edge"'],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\rx", '"\'\rx"'],
    [" =1", "' =1"],
    ["\uFEFF=1", "'\uFEFF=1"],
    ["＝1", "'＝1"],
    ['=HYPERLINK("http://h.example","x")', '"\'=HYPERLINK(""http://h.example"",""x"")"'],
    ["a=1", "a=1"],
  ];
  for (const [value, wanted] of rows) assert.equal(csvLine([value]), `${wanted}\r\n`, JSON.stringify(value));
  assert.equal(csvLine(["a", undefined, 1]), "a,,1\r\n");
});
