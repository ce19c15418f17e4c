import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentLines, exampleArguments } from "#cli/tool-arguments.ts";

const SCHEMA = {
  type: "object",
  properties: {
    unit: { enum: ["kg", "lb"] },
    note: { type: ["string", "null"], description: "Said\nwith it" },
    weight: { type: "number", description: "How heavy" },
  },
  required: ["weight", "unit"],
};

test("arguments are shown with type and meaning, the required ones first", () => {
  assert.deepEqual(argumentLines(SCHEMA), [
    "  weight   number, required        How heavy",
    '  unit     "kg" | "lb", required',
    "  note     string or null          Said with it",
  ]);
});

test("an example holds what is required, of fitting types", () => {
  assert.equal(exampleArguments(SCHEMA), "weight=0 unit=kg");
});

test("schemas of servers that say nothing usable, or too much, are shown as far as that goes", () => {
  assert.deepEqual(argumentLines({ required: "all", properties: ["x"] }), []);
  assert.deepEqual(argumentLines({ required: ["a", 1], properties: { a: true } }), ["  a   any, required"]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { description: "x".repeat(9999) }]));
  const lines = argumentLines({ properties: many });
  assert.deepEqual([lines.length, lines.at(-1)], [41, "  and 60 more"]);
  assert.ok(lines.every((line) => line.length < 150));
});
