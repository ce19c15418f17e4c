import assert from "node:assert/strict";
import { test } from "node:test";
import { firstSentence, sentenceEnd } from "#lib/core/base/first-sentence.ts";

test("the first sentence ends at its mark, not at a dot inside a name or number (spec 001 §4.1)", () => {
  const rows: [string, string][] = [
    ["Reads a file. Then more.", "Reads a file."],
    ["Reads a file", "Reads a file"],
    ["Ready? Yes!", "Ready?"],
    ["Needs v1.2.3 of node.js to run. Or not.", "Needs v1.2.3 of node.js to run."],
    ['Says "hello." And more.', 'Says "hello.'],
    ["Ends here.\nNext line.", "Ends here."],
    ["获取当前日期。返回格式", "获取当前日期。"],
    ["   ", ""],
    ["", ""],
    ["Stops at the end.", "Stops at the end."],
  ];
  for (const [text, sentence] of rows) assert.equal(firstSentence(text), sentence, text);
});

test("a first sentence longer than 200 characters is cut between characters and says so", () => {
  assert.equal(firstSentence("x".repeat(200)), "x".repeat(200));
  assert.equal(firstSentence("x".repeat(201)), `${"x".repeat(200)}…`);
  assert.equal(firstSentence("🦜".repeat(300)), `${"🦜".repeat(200)}…`);
  assert.equal(sentenceEnd("🦜".repeat(300)), 400);
});
