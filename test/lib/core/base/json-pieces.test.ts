import assert from "node:assert/strict";
import { test } from "node:test";
import { isLargeJson, jsonPieces, largeJsonBeginning, largeJsonBytes } from "#lib/core/base/json-pieces.ts";
import { seeded } from "#test/kit/random.ts";

const KIB = 1024;
const longest = (pieces: readonly string[]) => Math.max(...pieces.map(({ length }) => length));

test("pieces of JSON are together what JSON.stringify writes", () => {
  const random = seeded(7);
  const leaves = [null, 1.5, "a\u2028\n", true, undefined, -0, new Date(0), "text ".repeat(20_000)];
  const made = (depth: number): unknown => {
    const kind = random.below(depth > 0 ? 11 : 8);
    if (kind > 8)
      return Object.fromEntries(Array.from({ length: random.below(5) }, (_, n) => [`k"${n}`, made(depth - 1)]));
    if (kind === 8) return Array.from({ length: random.below(5) }, () => made(depth - 1));
    return leaves[kind];
  };
  for (let n = 0; n < 1000; n++) {
    const value = { data: made(5) };
    assert.equal([...jsonPieces(value)].join(""), JSON.stringify(value));
  }
});

test("a long text is cut between characters", () => {
  for (const unit of ["a", '"', "é", "😀", "\ud83d", "\ud83d\ud83d\ude00"])
    for (const shift of ["", "x"]) {
      const value = { data: { text: shift + unit.repeat(200_000) } };
      const pieces = [...jsonPieces(value)];

      assert.equal(pieces.join(""), JSON.stringify(value));
      assert.ok(longest(pieces) < 500_000);
    }
});

test("no piece is long, wherever in a value its bulk stands", () => {
  const words = "some words ".repeat(3);
  for (const [name, value] of Object.entries({
    "many elements": Array.from({ length: 50_000 }, (_, n) => n),
    "many members": Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key ${n}`, words])),
    "rows within rows": {
      data: { rows: Array.from({ length: 5000 }, (_, n) => ({ name: `t${n}`, list: [1, words] })) },
    },
    "a text within a list": { list: [["x".repeat(900 * KIB)], words] },
  })) {
    const pieces = [...jsonPieces(value)];

    assert.equal(pieces.join(""), JSON.stringify(value), name);
    assert.ok(pieces.length > 3 && longest(pieces) <= 130 * KIB, name);
  }
});

test("a value is large where its text is, and that is seen without writing it", () => {
  for (const [value, isLarge] of [
    [undefined, false],
    ["x".repeat(60 * KIB), false],
    ["x".repeat(65 * KIB), true],
    [{ ["x".repeat(65 * KIB)]: 1 }, true],
    [{ a: [{ b: "x".repeat(30 * KIB) }, { b: "x".repeat(40 * KIB) }] }, true],
    [Array.from({ length: 20_000 }, () => 0), true],
  ] as const)
    assert.equal(isLargeJson(value), isLarge);
});

test("a large value is made as bytes, or as the beginning of its text, with the size of the whole", async () => {
  const value = { list: ["é😀".repeat(100_000), { a: 1 }] };
  const json = JSON.stringify(value);

  const { pieces, sizeBytes } = await largeJsonBytes(value);
  const { text, ...whole } = await largeJsonBeginning(value, 100_000);

  assert.deepEqual([Buffer.concat(pieces).toString(), sizeBytes], [json, Buffer.byteLength(json)]);
  assert.deepEqual(whole, { length: json.length, sizeBytes });
  assert.ok(json.startsWith(text) && text.length >= 100_000 && text.length < 200_000);
});
