import assert from "node:assert/strict";
import { test } from "node:test";
import { editDistance } from "#lib/core/base/edit-distance.ts";
import { effortMs } from "#test/kit/effort.ts";

test("an edit is a letter more, less, another, or two neighbours swapped", () => {
  const rows: [string, string, number][] = [
    ["file", "file", 0],
    ["file", "fiel", 1],
    ["file", "files", 1],
    ["file", "ile", 1],
    ["file", "fire", 1],
    ["ab", "ba", 1],
    ["", "a", 1],
    ["file", "rifle", 2],
    ["abcd", "badc", 2],
    ["", "ab", 2],
    ["file", "filters", 3],
    // Nothing is edited twice: the swapped letters stay neighbours.
    ["ca", "abc", 3],
  ];
  for (const [a, b, far] of rows) {
    assert.equal(editDistance(a, b, 5), far, `${a} ${b}`);
    assert.equal(editDistance(b, a, 5), far, `${b} ${a}`);
  }
});

test("within the bound the number is exact, and beyond it is the bound and one", () => {
  const words = wordsOf("abc", 4);
  for (const a of words)
    for (const b of words)
      for (const most of [0, 1, 2, 3])
        assert.equal(editDistance(a, b, most), Math.min(whole(a, b), most + 1), `${a} ${b} ${most}`);
});

test("long texts are compared quickly, be they alike or not", () => {
  const long = "x".repeat(50_000);
  const effort = effortMs(() => {
    assert.equal(editDistance(`${long}a${long}`, `${long}b${long}`, 2), 1);
    assert.equal(editDistance("ab".repeat(25_000), "cd".repeat(25_000), 2), 3);
  });
  assert.ok(effort < 3000, `${effort} ms`);
});

/** The whole matrix, without a bound. */
function whole(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      d[i]![j] = Math.min(
        d[i - 1]![j]! + 1,
        d[i]![j - 1]! + 1,
        d[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1]),
        swapped ? d[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return d[a.length]![b.length]!;
}

/** Every word of up to so many of these letters. */
function wordsOf(letters: string, length: number): string[] {
  let last = [""];
  const all = [...last];
  for (let n = 0; n < length; n++) {
    last = last.flatMap((word) => [...letters].map((letter) => word + letter));
    all.push(...last);
  }
  return all;
}
