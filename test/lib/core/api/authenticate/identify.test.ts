import assert from "node:assert/strict";
import { test } from "node:test";
import { comparableSecret, identify, sameSecret } from "#lib/core/api/authenticate/identify.ts";
import type { ListenerKind } from "#lib/core/schema/caller.ts";
import { verifies } from "#test/kit/verifies.ts";

const who = (headers: Record<string, string>, apikey?: string, listener: ListenerKind = "tcp", adminKey = "secret") => {
  const agent = () => "unknown" as const;
  const caller = identify({
    listener,
    header: (name) => headers[name],
    apikey,
    adminKey: comparableSecret(adminKey),
    agent,
    session: () => undefined,
  });
  return typeof caller === "string" ? caller : caller.tier;
};

verifies(
  ["rest.auth.header", "rest.auth.query"],
  "the administrator key is taken from X-API-Key, then Bearer, then ?apikey=",
  () => {
    const rows: [Record<string, string>, string | undefined, string][] = [
      [{}, undefined, "anonymous"],
      [{ "x-api-key": "secret" }, undefined, "admin"],
      [{ authorization: "Bearer secret" }, undefined, "admin"],
      [{ authorization: "bearer  secret " }, undefined, "admin"],
      [{}, "secret", "admin"],
      [{ "x-api-key": "wrong" }, undefined, "invalid"],
      [{ "x-api-key": "secre" }, undefined, "invalid"],
      [{ "x-api-key": "secret2" }, undefined, "invalid"],
      [{ authorization: "Bearer wrong" }, undefined, "invalid"],
      [{}, "wrong", "invalid"],
      [{ "x-api-key": "wrong", authorization: "Bearer secret" }, "secret", "invalid"],
      [{ "x-api-key": "secret" }, "wrong", "admin"],
      [{ "x-api-key": "" }, "secret", "admin"],
      [{ authorization: "Basic secret" }, undefined, "anonymous"],
      [{ "x-api-key": "mcp_agt_0000" }, undefined, "unknown"],
    ];
    for (const [headers, apikey, wanted] of rows) assert.equal(who(headers, apikey), wanted, JSON.stringify(headers));
  },
);

verifies("rest.auth.socket", "the local socket is the administrator, whatever is shown there", () => {
  assert.equal(who({}, undefined, "socket"), "admin");
  assert.equal(who({ "x-api-key": "wrong" }, undefined, "socket"), "admin");
});

test("without an administrator key in force nobody is administrator over TCP", () => {
  assert.equal(who({ "x-api-key": "" }, "", "tcp", ""), "anonymous");
  assert.equal(who({ "x-api-key": "x" }, undefined, "tcp", ""), "invalid");
});

verifies("rest.auth.token-prefix", "an agent token that equals the administrator key is still no administrator", () => {
  assert.equal(who({ "x-api-key": "mcp_agt_1" }, undefined, "tcp", "mcp_agt_1"), "unknown");
});

test("only equal secrets are equal, whatever their length", () => {
  const long = "k".repeat(300);
  const texts = [
    "",
    "a",
    "a\0",
    "\0a",
    "secret",
    "secret2",
    "é",
    "e\u0301",
    "x".repeat(84),
    "x".repeat(85),
    long,
    `${long}k`,
  ];
  for (const a of texts) for (const b of texts) assert.equal(sameSecret(a, b), a === b, JSON.stringify([a, b]));
});

test("a shorter key is compared without what the key before it has left", () => {
  const rows: [string, string][] = [
    ["a-long-credential", "invalid"],
    ["secret", "admin"],
    ["secretcredential", "invalid"],
    ["s", "invalid"],
  ];
  for (const [key, wanted] of rows) assert.equal(who({ "x-api-key": key }), wanted, key);
});
