import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testApp } from "#test/kit/app.ts";

test("an administrator key given as a reference is its value, never the reference's text (spec 000 §5 item 1)", async (t) => {
  const app = await testApp({ config: { api_key: "${env:ADMIN_KEY}" }, env: { ADMIN_KEY: "the-real-key" } });
  t.after(() => app.close());

  assert.equal(app.boot.apiKey, "the-real-key");
});

test("a key whose reference has no value ends the start with its name", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));

  await assert.rejects(testApp({ dir, config: { api_key: "${env:ADMIN_KEY}" } }), {
    code: "secret_missing",
    message: /\$\{env:ADMIN_KEY\}/,
  });
});
