import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWordTable } from "#lib/modules/scan/rules/make-word-table.ts";
import { WordTable } from "#lib/modules/scan/rules/word-table.ts";
import { seeded } from "#test/kit/random.ts";

/** All meanings on the way through a text, from its beginning. */
function meaningsIn(table: WordTable, text: string): { whole: number[]; starts: number[] } {
  const values = (first: number) => {
    const out = [];
    for (let at = first; at !== 0; at = table.meaningAfter(at)) out.push(table.valueOf(at));
    return out;
  };
  const starts: number[] = [];
  let node = 0;
  for (let i = 0; i < text.length; i++) {
    node = table.following(node, text.charCodeAt(i));
    if (node === 0) return { whole: [], starts };
    starts.push(...values(table.partAt(node)));
  }
  return { whole: values(table.wholeAt(node)), starts };
}

test("a word has the meanings that were added to it and to its beginnings, in order, and no others", () => {
  const random = seeded(18);
  const word = () => Array.from({ length: 1 + random.below(3) }, () => random.pick([..."abcdefghijklé漢"])).join("");
  const added = Array.from({ length: 3000 }, (_, value) => ({ word: word(), isStart: random.below(3) === 0, value }));
  const table = new WordTable(makeWordTable(added));

  for (const text of Array.from({ length: 3000 }, word)) {
    const found = meaningsIn(table, text);

    const whole = added.filter((one) => !one.isStart && one.word === text);
    const starts = added.filter((one) => one.isStart && text.startsWith(one.word));
    starts.sort((a, b) => a.word.length - b.word.length || a.value - b.value);
    assert.deepEqual(found, { whole: whole.map((one) => one.value), starts: starts.map((one) => one.value) }, text);
  }
});
