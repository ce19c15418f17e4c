import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "#lib/core/base/canonical.ts";

test("values that are equal have one text, whatever the order of keys and the spelling", () => {
  const rows: [string, string][] = [
    ['{"a":1,"b":{"x":true,"c":[]}}', '{ "b" : {"c":[],"x":true},\n "a":1.0 }'],
    ['{"n":100,"m":0}', '{"m":-0,"n":1e2}'],
    ['"\\u00e9/"', '"é\\/"'],
    ["[1,[2,{}]]", " [1 ,[2, { }] ]"],
  ];
  for (const [a, b] of rows) assert.equal(canonicalJson(JSON.parse(a)), canonicalJson(JSON.parse(b)), a);
});

test("values that differ have different texts", () => {
  const values = [
    ...["null", "true", '"true"', "1", '"1"', "1.5", "[]", "{}", "[[]]", '[""]', '{"a":null}', '{"a":"null"}'],
    ...["[1,2]", "[2,1]", "[12]", '{"a":1,"b":2}', '{"a":2,"b":1}', '{"__proto__":1}', '{"__proto__":2}'],
    ...['"é"', '"e\\u0301"', '"\\ud800"', '"\\ud801"', '"a,b"', '["a","b"]', '{"a":{"b":1}}', '{"a":{},"b":1}'],
  ];
  const texts = values.map((value) => canonicalJson(JSON.parse(value)));
  assert.equal(new Set(texts).size, values.length);
});

test("the text is JSON of the same value, with keys in order at every depth", () => {
  const value = JSON.parse('{"b":[{"z":1,"y":"\\n"}],"a":{"d":null,"c":-2.5e-7},"__proto__":{"k":1}}');

  const text = canonicalJson(value);

  assert.equal(text, '{"__proto__":{"k":1},"a":{"c":-2.5e-7,"d":null},"b":[{"y":"\\n","z":1}]}');
  assert.deepEqual(JSON.parse(text), value);
});

test("an undefined member counts as absent", () => {
  assert.equal(canonicalJson({ a: undefined, b: 1 }), '{"b":1}');
});

test("a value that is nested without end is refused instead of overflowing the stack", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  assert.throws(() => canonicalJson(deep), /nested more than \d+ deep/);
});
