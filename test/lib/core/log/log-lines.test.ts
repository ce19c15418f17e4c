import assert from "node:assert/strict";
import { test } from "node:test";
import { logLines, MAX_LINE_CHARACTERS, printableLine } from "#lib/core/log/log-lines.ts";

const as = (text: string) => logLines(text, (line) => line);

test("what a terminal would obey is removed or spelt out", () => {
  const rows: [text: string, shown: string][] = [
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;http://x\u001b\\link", "link"],
    ["a\u001bc", "a\\x1bc"],
    ["a\u0000b\u0008c\u007fd\u009be", "a\\x00b\\x08c\\x7fd\\x9be"],
    ["tab\tstays", "tab\tstays"],
    ["for\u202egnp.exe", "for\\u202egnp.exe"],
    ["x\u2028y", "x\\u2028y"],
    ["ünï ✓ 😀", "ünï ✓ 😀"],
  ];
  for (const [text, shown] of rows) assert.equal(printableLine(text), shown);
});

test("a text becomes its lines, blank ones left out", () => {
  assert.deepEqual(as("a\nb\r\nc\rd\n\n  \ne\n"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(as(""), []);
});

test("a line is cut at 8 KiB and says how long it was", () => {
  const [line, ...rest] = as("x".repeat(1_000_000));

  assert.deepEqual(rest, []);
  assert.equal(line, `${"x".repeat(MAX_LINE_CHARACTERS)}… (truncated, 1000000 characters)`);
  assert.deepEqual(as("y".repeat(MAX_LINE_CHARACTERS)), ["y".repeat(MAX_LINE_CHARACTERS)]);
});

test("a secret across the cut is scrubbed before the cut", () => {
  const secret = "s3cret".repeat(10);
  const text = `${"x".repeat(MAX_LINE_CHARACTERS - 20)}${secret}`;

  const [line] = logLines(text, (raw) => raw.replace(secret, "****"));

  assert.ok(!line!.includes("s3cret"));
});
