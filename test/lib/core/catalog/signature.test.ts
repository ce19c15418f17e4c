import assert from "node:assert/strict";
import { test } from "node:test";
import { toolSignature } from "#lib/core/catalog/signature.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

const sig = (properties: unknown, required?: unknown) => {
  const { sig, lossy } = toolSignature({ description: "", inputSchema: { type: "object", properties, required } });
  return [sig, lossy] as const;
};

verifies("mcp.retrieve.sig", "each parameter is written in the grammar of compact mode (spec 001 §4.1)", () => {
  const rows: [schema: unknown, written: string][] = [
    [{ type: "string" }, "p:str"],
    [{ type: "integer" }, "p:int"],
    [{ type: "number" }, "p:num"],
    [{ type: "boolean" }, "p:bool"],
    [{ type: "object", properties: {} }, "p~:obj"],
    [{ type: "null" }, "p~:any"],
    [{}, "p~:any"],
    [true, "p~:any"],
    [{ type: "array" }, "p~:[any]"],
    [{ type: "array", items: { type: "string" } }, "p:[str]"],
    [{ type: "array", items: { type: "object" } }, "p~:[obj]"],
    [{ type: "array", items: { enum: ["a"] } }, "p~:[any]"],
    [{ type: ["string", "null"] }, "p:str"],
    [{ type: ["string", "integer"] }, "p:str|int"],
    [{ type: ["string", "array"] }, "p~:str|any"],
    [{ type: ["null"] }, "p~:any"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "p:str"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "p:str|num"],
    [{ oneOf: [{ type: "object" }, { type: "boolean" }] }, "p~:obj|bool"],
    [{ anyOf: [{ $ref: "#/x" }] }, "p~:obj"],
    [{ $ref: "#/$defs/x" }, "p~:obj"],
    [{ properties: {} }, "p~:obj"],
    [{ enum: ["a", "b"] }, "p:enum[a|b]"],
    [{ type: "string", enum: ["a", null, 1, true] }, "p:enum[a|null|1|true]"],
    [{ enum: ["a b", "c|d", ""] }, 'p:enum["a b"|"c|d"|""]'],
    [{ type: "string", enum: ["a", "b", "c", "d", "e", "f"] }, "p~:str"],
    [{ enum: [{ a: 1 }] }, "p~:any"],
    [{ enum: [] }, "p~:any"],
    [{ type: "integer", default: 5 }, "p:int=5"],
    [{ type: "number", default: 1e21 }, "p~:num".replace("~", "")],
    [{ type: "string", default: "" }, 'p:str=""'],
    [{ type: "string", default: "a=b" }, 'p:str="a=b"'],
    [{ type: "string", default: "x".repeat(20) }, `p:str=${"x".repeat(20)}`],
    [{ type: "string", default: "x".repeat(21) }, "p:str"],
    [{ type: "boolean", default: false }, "p:bool=false"],
    [{ type: "array", items: { type: "string" }, default: ["a"] }, "p:[str]"],
    [{ type: "string", default: "~/x" }, 'p:str="\\u007E/x"'],
  ];
  for (const [schema, written] of rows)
    assert.deepEqual(sig({ p: schema }), [`(${written})`, written.includes("~")], JSON.stringify(schema));
});

test("required parameters come first in the schema's order, the others by name; only those have defaults", () => {
  const string = { type: "string", default: "d" };
  assert.deepEqual(sig({ b: string, a: string, z: string, y: string }, ["z", "y", "z", 5]), [
    "(z*:str, y*:str, a:str=d, b:str=d)",
    false,
  ]);
  assert.deepEqual(sig({}, ["ghost"]), ["(ghost*~:any)", true]);
  assert.deepEqual(sig({}, ["constructor"]), ["(constructor*~:any)", true]);
});

test("names that could be taken for grammar, or break the line, are quoted", () => {
  const rows: [string, string][] = [
    ["a b", '("a b":int)'],
    ["x*", '("x*":int)'],
    ['q"', '("q\\"":int)'],
    ["new\nline", '("new\\nline":int)'],
    ["naïve-名", "(naïve-名:int)"],
  ];
  for (const [name, written] of rows) assert.deepEqual(sig({ [name]: { type: "integer" } }), [written, false], name);
});

test("a schema that cannot be read is said to be so", () => {
  const rows: [unknown, string, boolean][] = [
    [{ type: "object" }, "()", false],
    [{}, "()", false],
    [{ type: "array" }, "(~)", true],
    ["{}", "(~)", true],
    [null, "(~)", true],
    [{ type: "object", properties: [] }, "()", false],
  ];
  for (const [schema, written, lossy] of rows) {
    const entry = toolSignature({ description: "", inputSchema: schema as McpObject });
    assert.deepEqual([entry.sig, entry.lossy], [written, lossy], JSON.stringify(schema));
  }
});

test("the description is its first sentence on one line (spec 001 §4.1)", () => {
  const rows: [string, string][] = [
    ["  Reads a file.\n\nUse with care.", "Reads a file."],
    ["Line one\n  goes on here. And more.", "Line one goes on here."],
    ["", ""],
  ];
  for (const [description, desc] of rows) assert.equal(toolSignature({ description, inputSchema: {} }).desc, desc);
});
