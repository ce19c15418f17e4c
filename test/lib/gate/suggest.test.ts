import assert from "node:assert/strict";
import { test } from "node:test";
import { suggest } from "#lib/gate/suggest.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  "rest.preflight.did-you-mean",
  "the nearest three come back: beginnings first, then by edits, then by name",
  () => {
    const rows: [string, string[], string[]][] = [
      ["git:lgo", ["git:log", "git:diff"], ["git:log"]],
      ["git:logs", ["git:log", "git:logx", "git:logfile"], ["git:log", "git:logx"]],
      ["git:lo", ["git:log2", "git:log", "git:la"], ["git:log", "git:log2", "git:la"]],
      ["git:log", ["git:a", "git:logb", "git:loga", "git:logcc"], ["git:loga", "git:logb", "git:logcc"]],
      ["GitHub:Create_Issue", ["github:create_issue"], ["github:create_issue"]],
      ["gti:log", ["git:log"], ["git:log"]],
      ["xyz:abc", ["git:log"], []],
      ["git:log", ["git:log"], []],
      ["git:log", ["git:lxyz"], []],
      ["", ["git:log"], []],
      ["git:log", [], []],
    ];
    for (const [asked, known, expected] of rows) assert.deepEqual(suggest(asked, known), expected, asked);
  },
);

/** The whole matrix, without a band, to hold the fast one against. */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      d[i]![j] = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1]));
  return d[a.length]![b.length]!;
}

test("suggestions are exactly the beginnings and what is within two edits", () => {
  const words: string[] = [];
  for (let n = 0; n < 3 ** 5; n++) {
    const word = n
      .toString(3)
      .padStart(5, "0")
      .slice(0, 1 + (n % 5));
    words.push([...word].map((c) => "abc"[Number(c)]).join(""));
  }
  const asked = [...new Set(words)];
  for (const a of asked)
    for (const b of asked) {
      if (a === b) continue;
      const near = a.startsWith(b) || b.startsWith(a) || distance(a, b) <= 2;
      assert.equal(suggest(a, [b]).length, near ? 1 : 0, `${a} ${b}`);
    }
});

test("a hostile id costs nothing and suggests nothing", () => {
  const known = Array.from({ length: 1000 }, (_, i) => `git:tool_${i}`);

  assert.deepEqual(suggest("a".repeat(1_000_000), known), []);
  assert.deepEqual(suggest("git:".repeat(300), ["git:"]), []);
});
