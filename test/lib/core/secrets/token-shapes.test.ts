import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { SENSITIVE_SEVERITIES } from "#lib/core/schema/sensitive-finding.ts";
import { TOKEN_SHAPES, type TokenShape } from "#lib/core/secrets/token-shapes.ts";

const Row: v.GenericSchema<TokenShape> = v.strictObject({
  type: v.pipe(v.string(), v.regex(/^[a-z0-9_]+$/)),
  category: v.picklist(["cloud_credentials", "api_token", "auth_token"]),
  severity: v.picklist(SENSITIVE_SEVERITIES),
  source: v.pipe(v.string(), v.minLength(1)),
  masked: v.union([v.literal(false), v.pipe(v.string(), v.minLength(1))]),
  needs: v.exactOptional(v.picklist(["digit", "digit and capital"])),
});

test("every row of the table of token shapes has the type that the program takes it for, under a name of its own", () => {
  for (const row of TOKEN_SHAPES) assert.deepEqual(v.parse(Row, row), row);

  assert.ok(TOKEN_SHAPES.length >= 50);
  assert.equal(new Set(TOKEN_SHAPES.map(({ type }) => type)).size, TOKEN_SHAPES.length);
});

test("the expressions of the table compile and have no capturing group", () => {
  for (const { type, source, masked } of TOKEN_SHAPES)
    for (const expression of [source, masked || ""])
      assert.equal(new RegExp(`${expression}|`).exec("")?.length, 1, `${type}: ${expression}`);
});
