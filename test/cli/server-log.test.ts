import assert from "node:assert/strict";
import { test } from "node:test";
import { linesAfter } from "#cli/server-log.ts";

const lines = (text: string) => [...text].map((m, i) => ({ timestamp: String(i % 3), level: "info", message: m }));
const at = (text: string, from: number) => lines("_".repeat(from) + text).slice(from);
const shown = (found: { message: string }[]) => found.map((l) => l.message).join("");

test("following a log shows only what came after the last lines shown", () => {
  assert.equal(shown(linesAfter(lines("abc"), lines("abcde"))), "de");
  assert.equal(shown(linesAfter(lines("abc"), at("bcd", 1))), "d");
  assert.equal(shown(linesAfter(lines("abc"), lines("abc"))), "");
});

test("a log that was empty or was put aside is shown from its start", () => {
  assert.equal(shown(linesAfter([], lines("ab"))), "ab");
  assert.equal(shown(linesAfter(lines("abc"), lines("xyz"))), "xyz");
});
