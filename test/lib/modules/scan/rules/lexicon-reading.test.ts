import assert from "node:assert/strict";
import { test } from "node:test";
import { readingLexicon } from "#lib/modules/scan/rules/lexicon.ts";

// The lexicon is one for the process, so this rule has a file, and with it a process, of its own.
test("the lexicon is read once, in many small steps", () => {
  assert.ok([...readingLexicon()].length > 100);
  assert.equal([...readingLexicon()].length, 0);
});
