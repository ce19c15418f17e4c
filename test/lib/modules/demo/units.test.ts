import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "#lib/modules/demo/units.ts";

const ROWS: [number, string, string, number][] = [
  [1, "mi", "km", 1.609344],
  [100, "C", "F", 212],
  [-40, "F", "C", -40],
  [0, "K", "C", -273.15],
  [1, "GiB", "MiB", 1024],
  [90, "min", "h", 1.5],
  [0.1, "m", "cm", 10],
];
for (const [value, from, to, expected] of ROWS)
  test(`${value} ${from} is ${expected} ${to}`, () => {
    assert.equal(convert(value, from, to), expected);
  });

test("an unknown unit and an impossible conversion are refused with the reason", () => {
  assert.throws(() => convert(1, "parsec", "m"), /unknown unit "parsec"; known: m, mm/);
  assert.throws(() => convert(1, "m", "kg"), /measure different quantities/);
  assert.throws(() => convert(1, "constructor", "m"), /unknown unit/);
});
