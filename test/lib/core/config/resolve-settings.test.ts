import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuarantined } from "#lib/core/config/quarantined.ts";
import { resolveSettings } from "#lib/core/config/resolve-settings.ts";
import { verifies } from "#test/kit/verifies.ts";
import "#lib/modules/config.gen.ts";

test("overrides lie upon the file, and the file alone stays known", () => {
  const s = resolveSettings(
    { tools_limit: 20, logging: { level: "warn", max_size: 3 } },
    { logging: { level: "debug" }, listen: ":0" },
  );

  assert.deepEqual([s.current.tools_limit, s.current.listen], [20, ":0"]);
  assert.deepEqual(s.current.logging, { level: "debug", format: "text", max_size: 3, max_backups: 5 });
  assert.deepEqual([s.file.logging.level, s.file.listen], ["warn", "127.0.0.1:8080"]);
});

test("a restart-gated key keeps its value of boot, is reported, and clears when it is changed back", () => {
  const boot = resolveSettings({ listen: ":1", routing_mode: "direct" }, {}).current;

  const changed = resolveSettings({ listen: ":2", routing_mode: "direct", tools_limit: 7 }, {}, boot);
  assert.deepEqual(changed.pending, ["listen"]);
  assert.deepEqual([changed.current.listen, changed.wanted.listen, changed.current.tools_limit], [":1", ":2", 7]);

  const removed = resolveSettings({}, {}, boot);
  assert.deepEqual(removed.pending, ["listen", "routing_mode"]);
  assert.equal(removed.current.routing_mode, "direct");

  const back = resolveSettings({ listen: ":1", routing_mode: "direct" }, {}, boot);
  assert.deepEqual(back.pending, []);
});

test("an override that hides a change of the file leaves nothing pending", () => {
  const boot = resolveSettings({ listen: ":1" }, { listen: ":9" }).current;

  assert.deepEqual(resolveSettings({ listen: ":2" }, { listen: ":9" }, boot).pending, []);
});

const EDITION = {
  enabled: true,
  oauth: { issuer_url: "https://id", client_id: "c", client_secret: "s" },
  access: { group_servers: { dev: ["a"] } },
};

verifies(
  ["config.require-mcp-auth"],
  "the server edition asks MCP clients for credentials whatever the file says",
  () => {
    const s = resolveSettings({ require_mcp_auth: false, server_edition: EDITION }, {});

    assert.equal(s.current.require_mcp_auth, true);
    assert.equal(
      resolveSettings({ require_mcp_auth: false, server_edition: { enabled: false } }, {}).current.require_mcp_auth,
      false,
    );
  },
);

test("within server_edition the grants are hot and the identity provider waits for a restart (spec 001 §5 item 4)", () => {
  const boot = resolveSettings({ server_edition: EDITION }, {}).current;
  const wanted = {
    ...EDITION,
    oauth: { ...EDITION.oauth, client_id: "other" },
    access: { group_servers: { dev: [] } },
  };

  const s = resolveSettings({ server_edition: wanted }, {}, boot);

  assert.deepEqual(s.pending, ["server_edition.oauth"]);
  assert.equal(s.current.server_edition?.oauth?.client_id, "c");
  assert.deepEqual(s.current.server_edition?.access?.group_servers, { dev: [] });
});

test("taking server_edition out, or putting it in, waits as a whole, so that no grant is ever missing", () => {
  const boot = resolveSettings({ server_edition: EDITION }, {}).current;
  const gone = resolveSettings({}, {}, boot);
  assert.deepEqual(gone.pending, ["server_edition"]);
  assert.deepEqual(gone.current.server_edition?.access?.group_servers, { dev: ["a"] });
  assert.equal(gone.current.require_mcp_auth, true);

  const added = resolveSettings({ server_edition: EDITION }, {}, resolveSettings({}, {}).current);
  assert.deepEqual(added.pending, ["server_edition"]);
  assert.equal(added.current.server_edition, undefined);
  assert.equal(added.current.require_mcp_auth, false);
});

test("settings cannot be changed by whoever reads them", () => {
  const { current, file } = resolveSettings(
    { mcpServers: [{ name: "a", command: "x", env: { A: "1" } }] },
    { listen: ":0" },
  );

  for (const config of [current, file]) {
    const loose = config as unknown as {
      tools_limit: number;
      trusted_hosts: string[];
      mcpServers: { env: { A: string } }[];
    };
    const attempts = [
      () => Object.assign(loose, { tools_limit: 1 }),
      () => Object.assign(loose.mcpServers[0]!.env, { A: "2" }),
      () => loose.trusted_hosts.push("x"),
    ];
    for (const attempt of attempts) assert.throws(attempt, TypeError);
  }
  assert.deepEqual(resolveSettings({}, {}).current.trusted_hosts, []);
});

test("a server without the key is quarantined unless quarantine is off or something else than a person admits its tools (reference 5.5)", () => {
  const rows: [server: object, enabled: boolean, expected: boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ trust_mode: "auto" }, true, false],
    [{ trust_mode: "scan" }, true, false],
    [{ trust_mode: "scan", quarantined: true }, true, true],
    [{ trust_mode: "manual" }, true, true],
    [{ quarantined: false }, true, false],
    [{ quarantined: true }, false, true],
    [{ quarantined: true, trust_mode: "auto" }, true, true],
  ];
  for (const [server, enabled, expected] of rows) {
    const { current } = resolveSettings(
      { quarantine_enabled: enabled, mcpServers: [{ name: "a", command: "x", ...server }] },
      {},
    );
    assert.equal(isQuarantined(current.mcpServers[0]!, current), expected, JSON.stringify([server, enabled]));
  }
});
