import assert from "node:assert/strict";
import { test } from "node:test";
import { pinOf } from "#lib/catalog/pin.ts";
import { type FoundTool, read } from "#lib/catalog/read.ts";

function taken(entry: unknown): FoundTool {
  const tool = read(entry);
  assert.ok(typeof tool !== "string", String(tool));
  return tool;
}

test("a well formed tool is taken as it is, members we do not read included", () => {
  const entry = {
    name: "a",
    title: "A",
    description: "does a",
    inputSchema: { $schema: "x", type: "object", properties: {}, additionalProperties: false },
    outputSchema: { type: "object" },
    annotations: { title: "A", readOnlyHint: true, custom: 1 },
    _meta: { ui: 1 },
    icons: [],
  };

  const { definition, hash, raw } = taken(entry);

  assert.deepEqual(raw, entry);
  const { _meta, icons, ...read } = entry;
  assert.deepEqual(definition, read);
  assert.equal(hash, pinOf(definition));
});

test("members of a wrong type are left out or put right, since clients refuse a whole list for one of them", () => {
  const rows: [unknown, Partial<FoundTool["definition"]>, string[]][] = [
    [{ name: "a" }, { description: "", inputSchema: { type: "object" } }, ["title", "outputSchema", "annotations"]],
    [{ name: "a", description: 7, inputSchema: "none" }, { description: "", inputSchema: { type: "object" } }, []],
    [{ name: "a", inputSchema: { properties: {} } }, { inputSchema: { properties: {}, type: "object" } }, []],
    [{ name: "a", inputSchema: { type: "string" } }, { inputSchema: { type: "object" } }, []],
    [{ name: "a", inputSchema: [] }, { inputSchema: { type: "object" } }, []],
    [{ name: "a", title: 1, outputSchema: null, annotations: [] }, {}, ["title", "outputSchema", "annotations"]],
    [
      {
        name: "a",
        annotations: { readOnlyHint: "true", destructiveHint: 1, title: 2, idempotentHint: true, x: "kept" },
      },
      { annotations: { idempotentHint: true, x: "kept" } as never },
      [],
    ],
  ];
  for (const [entry, expected, absent] of rows) {
    const { definition, raw } = taken(entry);
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(definition[key as keyof typeof definition], value, JSON.stringify(entry));
      assert.deepEqual(raw[key], value, JSON.stringify(entry));
    }
    for (const key of absent) assert.ok(!(key in definition) && !(key in raw), `${key} of ${JSON.stringify(entry)}`);
  }
});

test("what is no tool is refused with its reason", () => {
  const deep = JSON.parse(`{"type":"object","a":${"[".repeat(5000)}${"]".repeat(5000)}}`);
  const rows: [unknown, RegExp][] = [
    [null, /no object/],
    [[], /no object/],
    ["a", /no object/],
    [{}, /no name/],
    [{ name: 5 }, /no name/],
    [{ name: "" }, /no name/],
    [{ name: "n".repeat(257) }, /longer than 256/],
    [{ name: "a", inputSchema: deep }, /tool "a" has a schema nested more than/],
  ];
  for (const [entry, reason] of rows) {
    const refused = read(entry);
    assert.ok(typeof refused === "string" && reason.test(refused), JSON.stringify(refused).slice(0, 200));
  }
});

test("a member named __proto__ is data like any other", () => {
  const { definition, raw } = taken(JSON.parse('{"name":"a","inputSchema":{"type":"object","__proto__":{"x":1}}}'));
  assert.ok(Object.hasOwn(definition.inputSchema, "__proto__"));
  assert.deepEqual(Object.keys(raw.inputSchema as object), ["type", "__proto__"]);
});
