import assert from "node:assert/strict";
import { test } from "node:test";
import { makeThesaurus } from "#lib/core/catalog/make-thesaurus.ts";
import { synonymsOf } from "#lib/core/catalog/synonyms.ts";

test("words of a group stand for each other, and the right of a line for its left more than the left for the right", () => {
  const weight = (term: string, other: string) => Object.fromEntries(synonymsOf(term))[other];

  assert.equal(weight("delet", "remov"), 0.6);
  assert.equal(weight("remov", "delet"), 0.6);
  assert.equal(weight("btc", "cryptocurr"), 0.6);
  assert.equal(weight("cryptocurr", "btc"), 0.3);
  assert.equal(weight("delet", "cryptocurr"), undefined);
});

test("every term of the table is found, and only these", () => {
  const lines = makeThesaurus().trimEnd().split("\n");
  const terms = lines.map((line) => line.split(" ")[0]!);

  for (const [i, term] of terms.entries()) assert.equal(synonymsOf(term).length, lines[i]!.split(" ").length - 1, term);
  for (const none of ["", " ", "\n", "zzzz", "0", "delet remov", terms[0]!.slice(1), `${terms.at(-1)}x`])
    assert.deepEqual(synonymsOf(none), [], none);
});
