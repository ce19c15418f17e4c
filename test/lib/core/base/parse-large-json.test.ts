import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonSteps, parseLargeJson } from "#lib/core/base/parse-large-json.ts";

function parseWhole(text: string, maxDepth?: number): { value: unknown; pauses: number } {
  const steps = parseJsonSteps(text, maxDepth);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { value: step.value, pauses };
  }
}

/** Longer than what is parsed in one go. */
const LONG = 300_000;
const ROW = { id: 7, name: 'row "1" \\ € 😀', on: [true, null, -1.5e9], inner: { "]": "{", "": {} } };
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ ...ROW, id }));

const VALUES: Record<string, unknown> = {
  small: { a: [1, "x", null, true] },
  "an array of objects": rows(5000),
  "an object of many members": Object.fromEntries(rows(5000).map((row) => [`key "${row.id}"`, row])),
  "large within large": {
    content: [{ type: "text", text: "word ".repeat(LONG) }],
    structuredContent: { rows: rows(3000) },
  },
  "small and large by turns": [1, "x".repeat(LONG), 2, [rows(3000)], {}, { a: "y".repeat(LONG) }, [], 3],
  "one large text": `${'\n\t\\"'.repeat(LONG)} end`,
  "a text of characters beyond the basic plane": "😀".repeat(LONG),
  "a text of backslashes": "\\".repeat(LONG),
  "an empty text, after a large one": ["z".repeat(LONG), ""],
};

for (const [name, value] of Object.entries(VALUES))
  for (const space of [0, "\t"])
    test(`JSON parsed in pieces is what JSON.parse makes of it: ${name}, space ${JSON.stringify(space)}`, () => {
      const text = `\r\n ${JSON.stringify(value, null, space)} \n`;

      const { value: parsed, pauses } = parseWhole(text);

      assert.deepEqual(parsed, value);
      assert.ok(pauses >= Math.floor(text.length / 200_000), `${pauses} pauses`);
    });

test("escape sequences are never cut in two", () => {
  const escapes = ["\\u20ac", "\\ud83d\\ude00", "\\n", "\\\\", '\\"', "x\\u0041"];
  for (const sequence of escapes)
    for (let shift = 0; shift < 12; shift++) {
      const text = `"${"s".repeat(shift)}${sequence.repeat(50_000)}"`;
      assert.equal(parseWhole(text).value, JSON.parse(text), `${sequence} after ${shift}`);
    }
});

test("a key given twice counts as it does for JSON.parse, and a key __proto__ is data", () => {
  const long = JSON.stringify("x".repeat(LONG));
  for (const text of [
    `{"a":1,"b":${long},"a":2}`,
    `{"a":${long},"b":1,"a":${long.replace("x", "y")}}`,
    `{"__proto__":{"x":1},"b":${long}}`,
    `{"b":${long},"__proto__":[${long}]}`,
  ]) {
    const { value } = parseWhole(text);
    const expected = JSON.parse(text) as object;
    assert.deepEqual(Object.entries(value as object), Object.entries(expected));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  }
});

test("what is no JSON is refused, wherever that is", () => {
  const long = JSON.stringify("x".repeat(LONG));
  const list = JSON.stringify(rows(5000));
  for (const text of [
    "",
    " ",
    `[${long}`,
    `[${long},]`,
    `[${long} 1]`,
    `[,${long}]`,
    `[1,,${long}]`,
    `[${long}}`,
    `{"a":${long},}`,
    `{"a" ${long}}`,
    `{"a":,"b":${long}}`,
    `{"a":${long}`,
    `{a:${long}}`,
    `{"a":${long}]`,
    `${long} ${long}`,
    `${list},`,
    `${list}]`,
    list.slice(0, -1),
    long.slice(0, -1),
    `"${"x".repeat(LONG)}\n"`,
    `"${"x".repeat(LONG)}\\"`,
    `"${"x".repeat(LONG)}\\q"`,
    `${list.slice(0, 200_000)}#${list.slice(200_000)}`,
    `[{"a":${list}],"b"}`,
    `[${"1".repeat(LONG)}x]`,
  ]) {
    assert.throws(() => JSON.parse(text), SyntaxError, `a mistake in this row: ${text.slice(0, 40)}`);
    assert.throws(() => parseWhole(text), SyntaxError, text.slice(0, 40));
  }
});

test("what is nested deeper than allowed is refused, within small values and around large ones", () => {
  const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
  const long = JSON.stringify("x".repeat(LONG));
  for (const inner of ["1", long]) {
    assert.deepEqual(parseWhole(nested(20, inner), 20).value, JSON.parse(nested(20, inner)));
    assert.throws(() => parseWhole(nested(21, inner), 20), /nested too deep/);
    assert.throws(() => parseWhole(`[${long},${nested(20, inner)}]`, 20), /nested too deep/);
  }
  assert.throws(() => parseWhole(`{"a":`.repeat(100_000)), /nested too deep/);
});

test("a large text is read as a small one is, and refused for the same reasons", async () => {
  const text = JSON.stringify({ list: Array.from({ length: 90_000 }, (_, i) => (i % 3 ? i : `text "${i}`)) });

  assert.deepEqual(await parseLargeJson(text), JSON.parse(text));
  await assert.rejects(parseLargeJson(`[${text},${text}]`), /contains more than 100000 members/);
  await assert.rejects(parseLargeJson(`${"[".repeat(201)}1${"]".repeat(201)}`), /nested more than 200 deep/);
  await assert.rejects(parseLargeJson(`${text}}`), SyntaxError);
});
