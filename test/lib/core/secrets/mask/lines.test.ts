import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubLine } from "#lib/core/secrets/mask/lines.ts";
import { SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(["rest.redact.logs", "mcp.tail-log.scrubbed"], "a log line loses its credentials and nothing else", () => {
  assert.equal(
    scrubLine("2026-01-02T03:04:05Z INFO connected url=https://h/mcp?token=abcd tools=12"),
    "2026-01-02T03:04:05Z INFO connected url=https://h/mcp?token=••••cd (4 chars) tools=12",
  );
  for (const secret of Object.values(SHAPED)) assert.ok(!scrubLine(`stderr: ${secret}`).includes(secret));
});

test("a private key that arrives line by line is masked line by line (spec 000 §2.9)", () => {
  const body = `${"A".repeat(62)}b1`;

  assert.equal(scrubLine(`  ${body}\n`), "  ••••b1 (64 chars)\n");
  assert.equal(scrubLine(`  ${body} trailing words`), `  ${body} trailing words`);
  assert.equal(scrubLine(scrubLine(body)), scrubLine(body));
});
