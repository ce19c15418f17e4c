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

test("what is within two edits is suggested, a swap counting one", () => {
  const rows: [string, string, boolean][] = [
    ["gti:lgo", "git:log", true],
    ["gti:lgos", "git:log", false],
    ["git:lgox", "git:log", true],
    ["git:axx", "git:log", false],
    ["it:og", "git:log", true],
    ["t:og", "git:log", false],
  ];
  for (const [asked, known, near] of rows)
    assert.deepEqual(suggest(asked, [known]), near ? [known] : [], `${asked} ${known}`);
});

test("a hostile id costs nothing and suggests nothing", () => {
  const known = Array.from({ length: 1000 }, (_, i) => `git:tool_${i}`);

  assert.deepEqual(suggest("a".repeat(1_000_000), known), []);
  assert.deepEqual(suggest("git:".repeat(300), ["git:"]), []);
});
