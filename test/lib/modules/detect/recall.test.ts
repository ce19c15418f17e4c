import assert from "node:assert/strict";
import { test } from "node:test";
import type { SensitiveFinding } from "#lib/core/schema/sensitive-finding.ts";
import { compileRules } from "#lib/modules/detect/rules.ts";
import { scanNow } from "#test/kit/scan-now.ts";
import { FILES, negatives, positives } from "./labelled.ts";

const RULES = compileRules({ categories: {}, entropy_threshold: 4.5, custom_patterns: [], sensitive_keywords: [] });
const look = (text: string, location: SensitiveFinding["location"] = "response") =>
  scanNow(JSON.stringify({ content: [{ type: "text", text }] }), RULES, location, 1 << 20);

test("of a labelled set nearly everything is found by its own type, and nearly nothing that is harmless", (t) => {
  const wanted = positives();
  const missed = wanted.filter(({ text, type }) => !look(text).some((found) => found.type === type));
  const harmless = negatives();
  const wrong = harmless.filter(({ text }) => look(text).length > 0);

  const recall = 1 - missed.length / wanted.length;
  const falsePositives = wrong.length / harmless.length;
  t.diagnostic(
    `recall ${recall.toFixed(4)} of ${wanted.length}; false positives ${falsePositives.toFixed(4)} of ${harmless.length}`,
  );
  for (const { text, type } of missed) t.diagnostic(`missed ${type}: ${text.slice(0, 100)}`);
  for (const { text } of wrong) t.diagnostic(`wrong: ${look(text)[0]?.type}: ${text.slice(0, 100)}`);
  assert.ok(wanted.length >= 300 && harmless.length >= 300, "the set is large enough to say something");
  assert.ok(recall >= 0.99, `recall ${recall}`);
  assert.ok(falsePositives <= 0.02, `false positives ${falsePositives}`);
});

test("a value out of documentation is told to be one, and none that was drawn by lot is", () => {
  for (const { text, type, example = false } of positives()) {
    const found = look(text).find((finding) => finding.type === type);
    if (found) assert.equal(found.is_likely_example, example, `${type}: ${text.slice(0, 80)}`);
  }
});

test("paths of secret files count in arguments, and only there", () => {
  for (const { text, type } of FILES) {
    const found = look(text, "arguments").filter(({ category }) => category === "sensitive_file");
    assert.equal(found[0]?.type, type, text);
    assert.deepEqual(
      look(text).filter(({ category }) => category === "sensitive_file"),
      [],
    );
  }
});
