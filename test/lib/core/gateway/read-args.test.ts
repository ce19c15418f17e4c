import assert from "node:assert/strict";
import { test } from "node:test";
import { readArgs } from "#lib/core/gateway/read-args.ts";

test("arguments come as an object or as JSON text, and the text wins (spec 001 §4.1)", () => {
  const rows: [Record<string, unknown>, unknown][] = [
    [{}, {}],
    [{ args: { a: 1 } }, { a: 1 }],
    [{ args_json: '{"a":1}' }, { a: 1 }],
    [{ args: {}, args_json: '{"a":1}' }, { a: 1 }],
    [{ args: { a: 1 }, args_json: "" }, { a: 1 }],
    [{ args: { a: 1 }, args_json: null }, { a: 1 }],
    [{ args_json: { a: 1 } }, { a: 1 }],
    [{ args: '{"a":1}' }, { a: 1 }],
  ];
  for (const [input, args] of rows) assert.deepEqual(readArgs(input), args, JSON.stringify(input));
});

test("a member called __proto__ stays a plain member of the arguments", () => {
  const args = readArgs({ args_json: '{"__proto__":{"x":1},"constructor":2}' });
  assert.deepEqual(Object.keys(args), ["__proto__", "constructor"]);
  assert.equal((args as { x?: number }).x, undefined);
});

test("arguments that are no object are refused by the name of their member", () => {
  const rows: [Record<string, unknown>, RegExp][] = [
    [{ args_json: "{" }, /args_json is not valid JSON/],
    [{ args_json: "[1]" }, /args_json must be a JSON object/],
    [{ args_json: "null" }, /args_json must be a JSON object/],
    [{ args_json: 7 }, /args_json must be a JSON object/],
    [{ args: [1] }, /args must be a JSON object/],
    [{ args_json: "[".repeat(5000) }, /nested/],
  ];
  for (const [input, text] of rows) assert.throws(() => readArgs(input), text);
});
