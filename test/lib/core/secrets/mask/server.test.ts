import assert from "node:assert/strict";
import { test } from "node:test";
import { maskServer } from "#lib/core/secrets/mask/server.ts";
import { SHAPED } from "#test/kit/secrets.ts";
import { verifies } from "#test/kit/verifies.ts";

const GITHUB = SHAPED["github token"]!;
const SERVER = {
  name: "git",
  protocol: "http",
  enabled: true,
  command: "npx",
  args: ["-y", "pkg", "--api-key", "abcdef"],
  env: { LOG_LEVEL: "debug", REF: "${env:HOME}", EMPTY: "" },
  headers: { Authorization: "Bearer abcdef", Accept: "text/html", "X-Note": GITHUB },
  url: "https://u:pw@h:8443/mcp?token=abcdef&v=2",
  working_dir: "/srv/data",
  oauth: {
    client_id: "public-client",
    client_secret: "abcdef",
    redirect_uri: "https://h/cb?code=abcdef",
    scopes: ["read:user", "${env:SCOPE}"],
    extra_params: { audience: "https://api", resource: "r-1" },
  },
  isolation: { enabled_override: true, image: "node:20", extra_args: ["-e", "TOKEN=abcdef"] },
  max_concurrent_requests: 4,
  enabled_tools: ["create_issue"],
  later_field: { token: "abcdef", note: "plain" },
  later_token: "abcdef",
};

verifies(
  [
    "rest.redact.headers",
    "rest.redact.env",
    "rest.redact.query",
    "rest.redact.oauth-extra",
    "rest.redact.oauth-scopes",
    "rest.redact.args",
    "rest.redact.references",
    "rest.redact.by-shape",
    "rest.server.env",
    "rest.server.headers",
  ],
  "a server's definition is shown with every secret masked and everything else as it is",
  () => {
    assert.deepEqual(maskServer(SERVER), {
      ...SERVER,
      args: ["-y", "pkg", "--api-key", "••••ef (6 chars)"],
      env: { LOG_LEVEL: "••••ug (5 chars)", REF: "${env:HOME}", EMPTY: "" },
      headers: {
        Authorization: "••••ef (13 chars)",
        Accept: "text/html",
        "X-Note": `••••${GITHUB.slice(-2)} (40 chars)`,
      },
      url: "https://u:••••(2 chars)@h:8443/mcp?token=••••ef (6 chars)&v=2",
      oauth: {
        client_id: "public-client",
        client_secret: "••••ef (6 chars)",
        redirect_uri: "https://h/cb?code=••••ef (6 chars)",
        scopes: ["••••er (9 chars)", "${env:SCOPE}"],
        extra_params: { audience: "••••pi (11 chars)", resource: "••••-1 (3 chars)" },
      },
      isolation: { enabled_override: true, image: "node:20", extra_args: ["-e", "TOKEN=••••ef (6 chars)"] },
      later_field: { token: "••••ef (6 chars)", note: "plain" },
      later_token: "••••ef (6 chars)",
    });
  },
);

test("the stored definition is not touched, absent members stay absent, masking twice is masking once", () => {
  const before = structuredClone(SERVER);

  const once = maskServer(SERVER);

  assert.deepEqual(SERVER, before);
  assert.deepEqual(maskServer(once), once);
  assert.deepEqual(maskServer({ name: "a", url: undefined, env: null }), { name: "a", url: undefined, env: null });
});

test("a server named like a secret keeps its name, by which it must be found", () => {
  assert.equal(maskServer({ name: GITHUB }).name, GITHUB);
});

test("keys that objects inherit are data like any other", () => {
  const server = JSON.parse('{"name":"a","constructor":"plain","__proto__":{"token":"abcdef"},"toString":"plain"}');

  assert.equal(
    JSON.stringify(maskServer(server)),
    '{"name":"a","constructor":"plain","__proto__":{"token":"••••ef (6 chars)"},"toString":"plain"}',
  );
});
