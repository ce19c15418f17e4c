import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonTextError, parseJsonText } from "#lib/core/base/json-text.ts";

test("a mistake is told with its line, its column and what it is", () => {
  const rows: [text: string, line: number, column: number, message: RegExp][] = [
    ['{\n  "a": 1,\n}', 2, 9, /a comma before "}"/],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /expected a comma or "}"/],
    ["{ a: 1 }", 1, 3, /unexpected "a", expected a key/],
    ["{ 'a': 1 }", 1, 3, /double quotes/],
    ['{\r\n  // note\r\n  "a": 1 }', 2, 3, /no comments/],
    ['{ "a": tru }', 1, 8, /unexpected "tru"/],
    ['{ "a": 01 }', 1, 9, /expected a comma or "}"/],
    ['{ "a": "x\n" }', 1, 8, /a string is not closed/],
    ['{ "a": "\\x" }', 1, 8, /invalid escape/],
    ['{ "a": 1', 1, 9, /ends too early/],
    ["", 1, 1, /ends too early/],
    ["{} {}", 1, 4, /after the end of the document/],
    ['{ "a" 1 }', 1, 7, /expected a colon/],
    ['{ "a": undefined }', 1, 8, /unexpected "undefined"/],
    ["[1, NaN]", 1, 5, /unexpected "NaN"/],
  ];
  for (const [text, line, column, message] of rows)
    assert.throws(
      () => parseJsonText(text),
      (error) => {
        assert.ok(error instanceof JsonTextError, text);
        assert.match(error.message, message, text);
        assert.deepEqual([error.line, error.column], [line, column], text);
        return true;
      },
    );
});

test("whatever it takes is what JSON.parse reads", () => {
  const texts = [
    '{"a":[1,-2.5e+3,true,false,null,"x\\u0041\\n\\"é😀"],"":{},"b":{"c":[]}}',
    " [ ] ",
    '"text"',
    "-0",
    '\t{\r\n"a"\n:\n{ }\t}\n',
    '{"__proto__":{"a":1}}',
  ];
  for (const text of texts) assert.deepEqual(parseJsonText(text).value, JSON.parse(text), text);
});

test("it refuses what JSON.parse refuses", () => {
  for (const text of [
    "{,}",
    "[,]",
    "[1,,2]",
    "+1",
    ".5",
    "1.",
    "1e",
    '"\u0001"',
    "{\u00a0}",
    "nul",
    '{"a"}',
    "]",
    '"\\u12"',
  ])
    assert.throws(() => parseJsonText(text), JsonTextError, text);
});

test("a key given twice is refused with both lines", () => {
  assert.throws(() => parseJsonText('{\n"mcpServers": [],\n"a": 1,\n"mcpServers": [1]\n}'), /line 2/);
  assert.deepEqual(parseJsonText('{"a":{"x":1},"b":{"x":2}}').value, { a: { x: 1 }, b: { x: 2 } });
});

test("every value knows its line, and what is missing the line of its parent", () => {
  const { lineOf } = parseJsonText('{\n "a": [\n  1,\n  { "b":\n 2 }\n ]\n}');

  assert.equal(lineOf(["a"]), 2);
  assert.equal(lineOf(["a", 0]), 3);
  assert.equal(lineOf(["a", 1, "b"]), 4);
  assert.equal(lineOf(["a", 1, "missing"]), 4);
  assert.equal(lineOf(["missing", "deeper"]), 1);
});

test("a byte order mark is passed over", () => {
  assert.deepEqual(parseJsonText('\uFEFF{"a":1}').value, { a: 1 });
});

test("depth is bounded and long strings are read", () => {
  assert.throws(() => parseJsonText("[".repeat(100_000)), /nested deeper/);
  const long = JSON.stringify({ a: "x".repeat(3_000_000) });
  assert.equal((parseJsonText(long).value as { a: string }).a.length, 3_000_000);
});
