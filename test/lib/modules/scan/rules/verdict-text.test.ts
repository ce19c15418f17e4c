import assert from "node:assert/strict";
import { test } from "node:test";
import { verdictText, verdictWord } from "#lib/modules/scan/rules/verdict-text.ts";

test("clean is said only where nothing was found; a risk stands beside every other word", () => {
  const rows = [
    ["clean", 0, "clean", "clean"],
    ["clean", 1, "low risk", "low risk (1 of 100)"],
    ["clean", 36, "low risk", "low risk (36 of 100)"],
    ["suspicious", 0, "suspicious", "suspicious (0 of 100)"],
    ["suspicious", 45, "suspicious", "suspicious (45 of 100)"],
    ["dangerous", 98, "dangerous", "dangerous (98 of 100)"],
  ] as const;
  for (const [verdict, risk_score, word, text] of rows) {
    assert.equal(verdictWord({ verdict, risk_score }), word);
    assert.equal(verdictText({ verdict, risk_score }), text);
  }
});
