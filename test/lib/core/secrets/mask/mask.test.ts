import assert from "node:assert/strict";
import { test } from "node:test";
import { containsMask, looksMasked, maskInUrl, maskSecret } from "#lib/core/secrets/mask/mask.ts";
import { scrubText } from "#lib/core/secrets/mask/text.ts";
import { seeded } from "#test/kit/random.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies("rest.redact.format", "a mask shows the last two characters and the length", () => {
  const rows = [
    ["hunter22", "••••22 (8 chars)"],
    ["abc", "••••bc (3 chars)"],
    ["ab", "•••• (2 chars)"],
    ["a", "•••• (1 chars)"],
    ["", ""],
    ["naïve🙂🙃", "••••🙂🙃 (7 chars)"],
    ["line\nend\n", "••••d\n (9 chars)"],
    ["x".repeat(1000), "••••xx (1000 chars)"],
  ] as const;
  for (const [value, shown] of rows) assert.equal(maskSecret(value), shown);
});

verifies("rest.redact.references", "a reference passes, and only the text around it is masked", () => {
  const rows = [
    ["${env:TOKEN}", "${env:TOKEN}"],
    ["${keyring:my-secret}", "${keyring:my-secret}"],
    ["${keyring:with space}", "${keyring:with space}"],
    ["Bearer ${env:TOKEN}", "Bearer ${env:TOKEN}"],
    ["${env:USER}:hunter22", "${env:USER}••••22 (9 chars)"],
    ["pre${env:A}${keyring:B}post", "••••re (3 chars)${env:A}${keyring:B}••••st (4 chars)"],
    ["${ENV:TOKEN}", "••••N} (12 chars)"],
    ["${env:}", "••••:} (7 chars)"],
    ["${file:/etc/passwd}", "••••d} (19 chars)"],
    ["$env:TOKEN", "••••EN (10 chars)"],
    ["${env:A", "••••:A (7 chars)"],
  ] as const;
  for (const [value, shown] of rows) assert.equal(maskSecret(value), shown);
});

test("in a URL a part is masked without its end (spec 000 §2.9 rule 4)", () => {
  assert.equal(maskInUrl("hunter22"), "••••(8 chars)");
  assert.equal(maskInUrl("${env:PW}"), "${env:PW}");
  assert.equal(maskInUrl(""), "");
});

test("a mask is recognised whole, and any trace of one inside a text", () => {
  for (const value of ["hunter22", "ab", "x", "a)b(", "🙂🙃", "line\nend\n"])
    for (const shown of [maskSecret(value), maskInUrl(value)]) assert.ok(looksMasked(shown), shown);
  for (const text of ["", "••••", "••••ab", "••••ab (x chars)", "a••••ab (5 chars)", "••••ab (5 chars) ", "hunter22"])
    assert.ok(!looksMasked(text), text);

  for (const text of ["Bearer ••••ab (5 chars)", "••••", encodeURIComponent("••••ab (5 chars)"), "%e2%80%a2".repeat(4)])
    assert.ok(containsMask(text), text);
  for (const text of ["", "•••", "hunter22", "%E2%80%A2"]) assert.ok(!containsMask(text), text);
});

test("masking twice is masking once, never longer than four times the value, and never the value", () => {
  const random = seeded(1);
  const pieces = ["a", "Z", "9", " ", "(", ")", "•", "••••", "🙂", "\n", "${env:X}", "${", "}", " chars)", "Bearer "];
  for (let i = 0; i < 20_000; i++) {
    const value = random.text(pieces, 12);
    for (const form of [maskSecret, maskInUrl]) {
      const once = form(value);

      assert.equal(form(once), once, JSON.stringify(value));
      assert.ok(once.length <= 4 * Math.max(5, value.length), JSON.stringify(value));
    }
  }
});

test("bare bullets hide something already and are not masked again", () => {
  assert.equal(maskSecret("••••"), "••••");
  assert.equal(scrubText("token=•••• rest"), "token=•••• rest");
});
