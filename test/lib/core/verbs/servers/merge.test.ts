import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { maskServer } from "#lib/core/secrets/mask/server.ts";
import { changesLaunch, mergeServer } from "#lib/core/verbs/servers/merge.ts";

const REMOTE: ServerConfig = {
  name: "crm",
  enabled: true,
  url: "https://crm.example.com/mcp",
  headers: { Authorization: "Bearer one" },
  oauth: { client_id: "proxy", scopes: ["read"], extra_params: { audience: "crm" } },
};

/** Every member of a server: another value for it, and whether trust in the server outlives the change. */
const MEMBERS: Record<keyof (typeof ServerConfig)["pipe"][0]["entries"], readonly [unknown, trusted: boolean]> = {
  name: ["other", true],
  protocol: ["sse", false],
  command: ["crm-mcp", false],
  args: [["--all"], false],
  working_dir: ["/srv", false],
  env: [{ TENANT: "b" }, false],
  url: ["https://elsewhere.example.com/mcp", false],
  headers: [{ Authorization: "Bearer two" }, false],
  oauth: [{ ...REMOTE.oauth, extra_params: { audience: "everything" } }, false],
  auth_broker: [{ mode: "oauth_connect" }, true],
  scope: ["replica", true],
  isolation: [{ enabled_override: false }, false],
  enabled: [false, true],
  quarantined: [true, true],
  held: [true, true],
  trust_mode: ["scan", true],
  resource_approval: ["manual", true],
  auto_approve_tool_changes: [true, true],
  allow_elicitation: [false, true],
  allow_sampling: [false, true],
  allow_roots: [false, true],
  reconnect_on_use: [true, true],
  init_timeout: ["5s", true],
  launcher_wait_timeout: ["5s", true],
  call_tool_timeout: ["5s", true],
  validate_arguments: ["off", true],
  health_check_interval: ["30s", true],
  tool_discovery_interval: ["5m", true],
  max_concurrent_requests: [3, true],
  queue_size: [3, true],
  queue_timeout: ["5s", true],
  enabled_tools: [["a"], true],
  disabled_tools: [["a"], true],
  source_registry_id: ["official", true],
  source_registry_provenance: ["custom", true],
  source_registry_server: ["com.example/crm", true],
  source_registry_version: ["2.0.0", true],
  created: ["2026-01-01T00:00:00Z", true],
  updated: ["2026-01-01T00:00:00Z", true],
};

test("trust in a server ends with a change of what it runs, reaches or signs in with, and with nothing else", () => {
  for (const [member, [value, trusted]] of Object.entries(MEMBERS))
    assert.equal(changesLaunch(REMOTE, { ...REMOTE, [member]: value }), !trusted, member);
  assert.equal(changesLaunch(REMOTE, { ...REMOTE, headers: undefined }), true, "a header taken away");
  assert.equal(changesLaunch(REMOTE, structuredClone(REMOTE)), false);
});

test("a header is replaced and removed whatever the letter case of its name", () => {
  const [name, shown] = Object.entries(maskServer(REMOTE).headers!)[0]!;
  const legacy = { ...REMOTE, headers: { Authorization: "Bearer one", authorization: "Bearer two" } };
  const rows: [ServerConfig, Record<string, string | null>, Record<string, string>][] = [
    [REMOTE, { authorization: "Bearer new" }, { Authorization: "Bearer new" }],
    [REMOTE, { AUTHORIZATION: null }, {}],
    [REMOTE, { "x-other": "1" }, { Authorization: "Bearer one", "x-other": "1" }],
    [REMOTE, { [name.toLowerCase()]: shown }, { Authorization: "Bearer one" }],
    [REMOTE, { Authorization: null, authorization: "Bearer new" }, { authorization: "Bearer new" }],
    [REMOTE, { authorization: "Bearer new", Authorization: null }, { authorization: "Bearer new" }],
    [legacy, { AUTHORIZATION: null }, {}],
    [legacy, { authorization: null }, { Authorization: "Bearer one" }],
    [legacy, { AUTHORIZATION: "Bearer new" }, { Authorization: "Bearer one", authorization: "Bearer new" }],
    [legacy, legacy.headers, legacy.headers],
  ];

  for (const [stored, headers, expected] of rows)
    assert.deepEqual(mergeServer(stored, { headers }).headers, expected, JSON.stringify(headers));

  assert.throws(
    () => mergeServer(REMOTE, { headers: { "X-Key": "1", "x-key": "2" } }),
    /headers: "X-Key" and "x-key" are the same header; send it once/,
  );
});
