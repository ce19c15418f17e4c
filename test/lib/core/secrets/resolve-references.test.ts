import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveReferences } from "#lib/core/secrets/resolve-references.ts";

const ENV = { A: "1", B: "two", EMPTY: "", NESTED: "${env:A}", DOLLAR: "$& $1" };
const ring = async (name: string) => new Map([["k", "ring"]]).get(name);

test("references anywhere in a text become their values, once", async () => {
  const rows: [text: string, resolved: string][] = [
    ["plain", "plain"],
    ["", ""],
    ["${env:A}", "1"],
    ["Bearer ${keyring:k}", "Bearer ring"],
    ["${env:A}-${env:B}-${env:A}/${keyring:k}", "1-two-1/ring"],
    ["${env:NESTED}", "${env:A}"],
    ["${env:DOLLAR}", "$& $1"],
    ["${other:A} ${env} $env:A ${ENV:A} $", "${other:A} ${env} $env:A ${ENV:A} $"],
    ["$${env:A}", "$1"],
  ];
  for (const [text, resolved] of rows) assert.equal(await resolveReferences(text, ENV, ring), resolved, text);
});

test("a reference without a value names itself", async () => {
  const rows: [text: string, reference: string][] = [
    ["${env:A} ${env:NONE} ${env:ALSO_NONE}", "${env:NONE}"],
    ["${env:EMPTY}", "${env:EMPTY}"],
    ["${keyring:none}", "${keyring:none}"],
    ["${env:}", "${env:}"],
    ["${env:constructor}", "${env:constructor}"],
    ["${env:__proto__}", "${env:__proto__}"],
  ];
  for (const [text, reference] of rows)
    await assert.rejects(
      resolveReferences(text, ENV, ring),
      (error: Error & { code: string; facts: { reference: string } }) => {
        assert.deepEqual([error.code, error.facts.reference], ["secret_missing", reference]);
        assert.ok(!error.message.includes("two"));
        return true;
      },
    );
});

test("the process's own environment has no inherited names", async () => {
  await assert.rejects(resolveReferences("${env:toString}", process.env, ring), { code: "secret_missing" });
});
