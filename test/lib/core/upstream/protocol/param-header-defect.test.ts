import assert from "node:assert/strict";
import { test } from "node:test";
import { paramHeaderDefect } from "#lib/core/upstream/protocol/param-header-defect.ts";

const declared = (schema: object) => ({ type: "object", properties: { a: schema } });
const header = (name: unknown, type: unknown = "string") => declared({ type, "x-mcp-header": name });

const ROWS: [what: string, schema: unknown, expected: RegExp | undefined][] = [
  ["no declaration", declared({ type: "string" }), undefined],
  ["a text", header("Region"), undefined],
  ["a whole number", header("N", "integer"), undefined],
  ["a truth value", header("B", "boolean"), undefined],
  [
    "an argument within an argument",
    declared({ type: "object", properties: { b: { type: "string", "x-mcp-header": "B" } } }),
    undefined,
  ],
  ["an argument of this very name", { properties: { "x-mcp-header": { type: "number" } } }, undefined],
  ["a default that looks like it", declared({ type: "object", default: { "x-mcp-header": 1 } }), undefined],
  ["no schema at all", null, undefined],
  ["an empty name", header(""), /"" is no header name/],
  ["a name with a space", header("My Region"), /is no header name/],
  ["a name with a line break", header("A\r\nB"), /is no header name/],
  ["a name that is no text", header(7), /7 is no header name/],
  ["a number", header("N", "number"), /for an argument of type "number"/],
  ["an object", header("N", "object"), /of type "object"/],
  ["several types", header("N", ["string", "integer"]), /of type \["string","integer"\]/],
  [
    "the same name twice, in another case",
    { properties: { a: { type: "string", "x-mcp-header": "X" }, b: { type: "string", "x-mcp-header": "x" } } },
    /"x" is declared twice/,
  ],
  ["the whole schema", { type: "string", "x-mcp-header": "X" }, /no single argument/],
  [
    "the members of an array",
    declared({ type: "array", items: { type: "string", "x-mcp-header": "X" } }),
    /no single argument/,
  ],
  ["a choice", declared({ anyOf: [{ type: "string", "x-mcp-header": "X" }] }), /no single argument/],
  [
    "properties below a choice",
    { allOf: [{ properties: { a: { type: "string", "x-mcp-header": "X" } } }] },
    /no single argument/,
  ],
  ["a definition", { $defs: { a: { type: "string", "x-mcp-header": "X" } } }, /no single argument/],
];
for (const [what, schema, expected] of ROWS)
  test(`a tool whose schema declares headers for ${what} is ${expected ? "rejected" : "offered"}`, () => {
    const reason = paramHeaderDefect(schema);

    if (expected) assert.match(reason ?? "", expected);
    else assert.equal(reason, undefined);
  });
