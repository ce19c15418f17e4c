import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_JSON_DEPTH, parseJson } from "#lib/core/base/parse-json.ts";

const nested = (depth: number, inner = "1") => "[".repeat(depth) + inner + "]".repeat(depth);

test("JSON text is read as JSON.parse reads it", () => {
  for (const value of [{ a: [1, "x", null, true] }, "text", 0, [], { 'a"b\\': "{[" }])
    assert.deepEqual(parseJson(JSON.stringify(value)), value);
});

test("text nested beyond the limit is refused before anything recurses over it", () => {
  assert.doesNotThrow(() => parseJson(nested(MAX_JSON_DEPTH)));
  assert.throws(() => parseJson(nested(MAX_JSON_DEPTH + 1)), /nested more than 200 deep/);
  assert.throws(() => parseJson(nested(1_000_000)), /nested more than 200 deep/);
  assert.throws(() => parseJson(`{"a":`.repeat(300)), /nested more than 200 deep/);
});

test("brackets inside strings do not count as depth", () => {
  const text = JSON.stringify({ a: "[".repeat(500), b: '\\"[[['.repeat(200), "[[[": "\\" });
  assert.deepEqual(parseJson(text), JSON.parse(text));
  const last = `["${"\\\\".repeat(300)}",${nested(MAX_JSON_DEPTH)}]`;
  assert.throws(() => parseJson(last), /nested more than 200 deep/);
});

test("text that never closes its string is an ordinary syntax error", () => {
  assert.throws(() => parseJson(`"${"x".repeat(1000)}`), SyntaxError);
});

test("a text of more values than allowed is refused by their number; characters within strings do not count", () => {
  const rows: [string, number][] = [
    [`[${"1,".repeat(9)}1]`, 10],
    ['{"a":1,"b":{"c":[2,3]},"d":[]}', 7],
    [JSON.stringify({ a: ",".repeat(1000), '{"[,': '\\",[' }), 2],
  ];
  for (const [text, values] of rows) {
    const padded = text + " ".repeat(500);
    assert.deepEqual(parseJson(padded, { values }), JSON.parse(text));
    assert.throws(() => parseJson(padded, { values: values - 1 }), /contains more than \d+ members and elements/, text);
  }
});
