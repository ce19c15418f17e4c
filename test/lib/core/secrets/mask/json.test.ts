import assert from "node:assert/strict";
import { test } from "node:test";
import { maskJson } from "#lib/core/secrets/mask/json.ts";
import { SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(["rest.redact.by-name", "rest.redact.one-rule-set"], "both rules reach every depth of a JSON value", () => {
  const value = {
    api_key: "abcdef",
    note: "hello",
    count: 3,
    on: true,
    none: null,
    list: ["password=abcdef", { clientSecret: "abcdef" }],
    credentials: { user: "somebody", nested: [{ pin: "1234" }] },
    password: 123456,
    max_tokens: 4096,
    token_count: 12,
    token_metrics: { total: 5 },
    mcpServers: [
      {
        env: { LOG_LEVEL: "debug" },
        headers: { Accept: "text/html", "X-Auth": "abcdef" },
        args: ["--api-key", "abcdef"],
        url: "https://h/?token=abcd",
      },
    ],
    environment: { custom_vars: { A: "bcd" } },
    key: "value",
  };

  assert.deepEqual(maskJson(value), {
    api_key: "••••ef (6 chars)",
    note: "hello",
    count: 3,
    on: true,
    none: null,
    list: ["password=••••ef (6 chars)", { clientSecret: "••••ef (6 chars)" }],
    credentials: { user: "••••dy (8 chars)", nested: [{ pin: "••••34 (4 chars)" }] },
    password: "••••56 (6 chars)",
    max_tokens: 4096,
    token_count: 12,
    token_metrics: { total: 5 },
    mcpServers: [
      {
        env: { LOG_LEVEL: "••••ug (5 chars)" },
        headers: { Accept: "text/html", "X-Auth": "••••ef (6 chars)" },
        args: ["--api-key", "••••ef (6 chars)"],
        url: "https://h/?token=••••cd (4 chars)",
      },
    ],
    environment: { custom_vars: { A: "••••cd (3 chars)" } },
    key: "value",
  });
});

test("the value given is not changed, and masking twice is masking once", () => {
  const value = { token: "abcdef", list: [{ env: { A: "bcd" } }, ...Object.values(SHAPED)] };
  const before = structuredClone(value);

  const once = maskJson(value);

  assert.deepEqual(value, before);
  assert.deepEqual(maskJson(once), once);
  for (const secret of Object.values(SHAPED)) assert.ok(!once.list.includes(secret));
});

test("an object in which nothing is masked is the result itself, and a member that is masked keeps its place", () => {
  const plain = { path: "/work", deep: { lines: 3, __proto__: null } };
  const given = JSON.parse('{"a":1,"__proto__":{"b":2},"password":"abcdef","c":{"d":"e"}}');

  assert.equal(maskJson(plain), plain);
  const masked = maskJson(given);
  assert.equal(JSON.stringify(masked), '{"a":1,"__proto__":{"b":2},"password":"••••ef (6 chars)","c":{"d":"e"}}');
  assert.equal(given.password, "abcdef");
  assert.equal(masked.c, given.c);
});
