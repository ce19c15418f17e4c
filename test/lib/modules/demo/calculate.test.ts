import assert from "node:assert/strict";
import { test } from "node:test";
import { calculate } from "#lib/modules/demo/calculate.ts";

const RIGHT: [string, number][] = [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["2 ^ 3 ^ 2", 512],
  ["-2 ^ 2", -4],
  ["2 ^ -1", 0.5],
  ["7 % 4 - 10 / 4", 0.5],
  ["--3", 3],
  ["1.5e3 + .5", 1500.5],
  ["max(1, sqrt(81), 4)", 9],
  ["round(PI)", 3],
];
for (const [text, value] of RIGHT)
  test(`${text} is ${value}`, () => {
    assert.equal(calculate(text), value);
  });

const WRONG: [string, RegExp][] = [
  ["", /expected a number at the end/],
  ["1 +", /at the end/],
  ["1 2", /expected an operator at position 3, found "2"/],
  ["(1", /expected "\)" at the end/],
  ["1 / 0", /division by zero/],
  ["2 ^ 99999", /not a finite number/],
  ["sqrt(-1)", /not a finite number/],
  ["process", /unknown name "process" at position 1/],
  ["constructor(1)", /unknown name "constructor"/],
  ["1; 2", /cannot read the expression at position 2/],
  ["(".repeat(5000), /nested deeper than 100/],
  ["-".repeat(5000), /nested deeper than 100/],
];
for (const [text, message] of WRONG)
  test(`${JSON.stringify(text.slice(0, 20))} is refused with a reason`, () => {
    assert.throws(() => calculate(text), message);
  });
