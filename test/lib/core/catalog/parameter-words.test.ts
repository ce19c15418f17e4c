import assert from "node:assert/strict";
import { test } from "node:test";
import { parameterWords } from "#lib/core/catalog/parameter-words.ts";

test("names, descriptions and enumerated words are found in nested parameters, items and variants", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string", description: "where" },
      mode: { enum: ["fast", 3, "slow"] },
      filter: { type: "object", properties: { since: { description: "from when" } } },
      edits: { type: "array", items: { properties: { line: {} } } },
      target: { anyOf: [{ enum: ["all"] }, { properties: { id: { description: "which" } } }, null] },
      odd: "no schema",
    },
  };
  assert.deepEqual(parameterWords(schema), {
    names: ["path", "mode", "filter", "since", "edits", "line", "target", "id", "odd"],
    texts: ["where", "fast", "slow", "from when", "all", "which"],
  });
});

test("anything that is no schema has no words", () => {
  for (const schema of [{}, { properties: null }, { properties: [] }, { properties: "x" }])
    assert.deepEqual(parameterWords(schema), { names: [], texts: [] });
});

test("a schema that holds itself, or without end, is walked a little way", () => {
  const self: Record<string, unknown> = {};
  self.properties = { child: self, other: self };
  assert.ok(parameterWords(self).names.length <= 300);

  const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}])) };
  assert.equal(parameterWords(wide).names.length, 300);
});
