import assert from "node:assert/strict";
import { test } from "node:test";
import { maskSecret } from "#lib/core/secrets/mask/mask.ts";
import { containsSecretShape, maskShapes } from "#lib/core/secrets/mask/shapes.ts";
import { HARMLESS, SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies("rest.redact.by-shape", "every shape is found alone and inside a text", () => {
  for (const [what, secret] of Object.entries(SHAPED)) {
    assert.ok(containsSecretShape(secret), what);
    for (const [before, after] of [
      ["", ""],
      ["value ", " after"],
      ['{"x":"', '"}'],
      ["(", ")"],
      ["x=", ";"],
      ["\n", "\n"],
    ])
      assert.equal(
        maskShapes(before + secret + after, () => "•"),
        `${before}•${after}`,
        what,
      );
  }
});

test("names, paths, digests and sentences are left alone (spec 000 §2.9 rule 4)", () => {
  for (const text of HARMLESS) assert.equal(maskShapes(text, maskSecret), text);
});

test("the password of a Go database address is masked, and nothing else of it", () => {
  assert.equal(maskShapes("app:s3cret!@tcp(db:3306)/main", maskSecret), "app:••••t! (7 chars)@tcp(db:3306)/main");
});

test("an address with a password is a shape, one without is none", () => {
  assert.ok(containsSecretShape("postgres://app:pw@db/x"));
  assert.ok(!containsSecretShape("postgres://db/x"));
  assert.ok(!containsSecretShape("https://example.com:8080/a@b"));
});

test("a key block without an end is masked to the end of the text, a certificate's frame is not touched", () => {
  const begin = `-----BEGIN ${"PRIVATE KEY"}-----`;

  assert.equal(
    maskShapes(`a ${begin}\nMIIE and more`, () => "•"),
    "a •",
  );
  assert.equal(
    maskShapes(`${begin}x-----END PRIVATE KEY----- b ${begin}y`, () => "•"),
    "• b •",
  );
  assert.equal(maskShapes("-----BEGIN CERTIFICATE-----", maskSecret), "-----BEGIN CERTIFICATE-----");
});

test("what detection reports as a token is masked as a whole", () => {
  for (const token of [
    `hvb.${"a".repeat(24)}`,
    `dckr_oat_${"a".repeat(20)}`,
    `whsec_${"a".repeat(12)}+${"a1/".repeat(8)}a`,
  ])
    assert.equal(
      maskShapes(`x ${token} y`, () => "•"),
      "x • y",
      token,
    );
});
