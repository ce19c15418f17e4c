import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY_AGREEMENT, requireSharedKey } from "#lib/modules/cluster/require-shared-key.ts";

const rows: [title: string, scene: { stored?: object; hasKey: boolean; lives: boolean }, outcome: string][] = [
  ["a first replica begins silently", { hasKey: false, lives: false }, "starts"],
  [
    "a replica with the key of the others starts silently",
    { stored: { key: "k" }, hasKey: true, lives: true },
    "starts",
  ],
  [
    "beside others, one without their key does not start",
    { stored: { key: "k" }, hasKey: false, lives: true },
    "fails",
  ],
  [
    "if no other replica lives, one without the former key begins anew and says what cannot be read",
    { stored: { key: "k" }, hasKey: false, lives: false },
    "warns",
  ],
];
for (const [title, { stored, hasKey, lives }, outcome] of rows)
  test(title, async () => {
    const warnings: string[] = [];
    const statements: string[] = [];
    const sql = async (text: string) => {
      statements.push(text);
      return text.startsWith("select") && lives ? [{}] : [];
    };
    const check = requireSharedKey({
      database: { run: (work: (run: typeof sql) => unknown) => work(sql) } as never,
      meta: { get: (name) => (name === KEY_AGREEMENT ? (stored as never) : undefined) },
      program: "p",
      hasKey: async () => hasKey,
      log: { warn: (text: string) => void warnings.push(text) },
    });

    if (outcome === "fails") await assert.rejects(check, { code: "cluster_key_wrong" });
    else await check;

    assert.equal(warnings.length, outcome === "warns" ? 1 : 0);
    assert.equal(statements.includes("delete from hop_authority"), outcome === "warns");
  });
