import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { addServer } from "#lib/core/verbs/servers/add.ts";
import { disableServer, enableServer, quarantineServer } from "#lib/core/verbs/servers/enable.ts";
import { patchServer } from "#lib/core/verbs/servers/patch.ts";
import { serverRecord } from "#lib/core/verbs/servers/record.ts";
import { refreshServer } from "#lib/core/verbs/servers/refresh.ts";
import { releaseServer } from "#lib/core/verbs/servers/release.ts";
import { removeServer } from "#lib/core/verbs/servers/remove.ts";
import { restartServer } from "#lib/core/verbs/servers/restart.ts";
import { approveTools } from "#lib/core/verbs/tools/approve.ts";
import { blockTools } from "#lib/core/verbs/tools/block.ts";
import { setToolEnabled } from "#lib/core/verbs/tools/set-enabled.ts";
import { adminByMcp, agent, nobodyByMcp } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { verifies } from "#test/kit/verifies.ts";

const start = (fn: (app: TestApp) => Promise<void>, config = {}) =>
  withApp(
    {
      connect: false,
      config,
      servers: [
        { name: "git", command: "git-mcp", env: { TOKEN: "open-sesame-123" }, disabled_tools: ["push"] },
        { name: "held", command: "x", quarantined: true },
      ],
      tools: { "git:log": "pending", "held:a": "pending" },
    },
    fn,
  );

const refused = async (promise: Promise<unknown>, code: string) => {
  const error = await promise.then(
    () => assert.fail("was allowed"),
    (e: unknown) => e,
  );
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code);
};

test("an unauthenticated MCP client never trusts anything on a person's behalf (spec 000 §2.9)", () =>
  start(async (app) => {
    const before = JSON.stringify(app.config.current().mcpServers);
    const by = nobodyByMcp;
    const attempts: [string, () => Promise<unknown>][] = [
      ["unquarantine", () => releaseServer(app, "held", {}, by)],
      ["quarantined: false", () => patchServer(app, "held", { quarantined: false }, by)],
      ["trust_mode", () => patchServer(app, "git", { trust_mode: "auto" }, by)],
      ["auto_approve_tool_changes", () => patchServer(app, "git", { auto_approve_tool_changes: true }, by)],
      ["disabled_tools", () => patchServer(app, "git", { disabled_tools: [] }, by)],
      ["disabled_tools removed", () => patchServer(app, "git", { disabled_tools: null }, by)],
      ["enabled_tools", () => patchServer(app, "held", { enabled_tools: ["a"] }, by)],
      ["add with trust_mode", () => addServer(app, { name: "n", command: "x", trust_mode: "auto" }, by)],
      [
        "add with auto approval",
        () => addServer(app, { name: "n", command: "x", auto_approve_tool_changes: true }, by),
      ],
      ["approve", () => approveTools(app, "git", "all", {}, by)],
      ["block", () => blockTools(app, "git", "all", by)],
      ["enable a tool", () => setToolEnabled(app, "git", "log", true, by)],
    ];
    for (const [, attempt] of attempts) await refused(attempt(), "mcp_only_admin");

    assert.equal(JSON.stringify(app.config.current().mcpServers), before);
    assert.equal(app.catalog.get("git:log")?.status, "pending");
  }));

test("an unauthenticated MCP client manages servers otherwise; what it adds is quarantined", () =>
  start(async (app) => {
    const added = await addServer(app, { name: "n", command: "x", quarantined: false }, nobodyByMcp);
    assert.equal(added.quarantined, true);
    await app.config.update((draft) => {
      draft.quarantine_enabled = false;
    }, "test");
    assert.equal((await addServer(app, { name: "m", command: "x" }, nobodyByMcp)).quarantined, true);

    assert.equal((await patchServer(app, "git", { reconnect_on_use: true }, nobodyByMcp)).reconnect_on_use, true);
    assert.equal((await disableServer(app, "git", nobodyByMcp)).enabled, false);
    assert.equal((await enableServer(app, "git", nobodyByMcp)).enabled, true);
    assert.equal((await quarantineServer(app, "git", nobodyByMcp)).quarantined, true);
    await removeServer(app, "n", nobodyByMcp);
    assert.equal(app.config.server("n"), undefined);
  }));

test("what a server runs, changed through MCP, puts it back into quarantine, whoever asks", async () => {
  const changes = [
    { command: "other" },
    { args: ["--x"] },
    { env: { A: "b" } },
    { working_dir: "/tmp" },
    { url: "http://127.0.0.1:9/mcp" },
    { url: "https://example.com/mcp", command: null },
    { headers: { Authorization: "Bearer of-another" } },
    { oauth: { client_id: "another" } },
    { isolation: { image: "x" } },
    { command: "other", quarantined: false },
  ];
  for (const by of [nobodyByMcp, adminByMcp])
    for (const change of changes)
      await start(async (app) => {
        assert.equal((await patchServer(app, "git", change, by)).quarantined, true, JSON.stringify(change));
        assert.equal(app.config.server("git")?.quarantined, true);
      });
  await start(async (app) => {
    assert.equal(
      (await patchServer(app, "git", { command: "git-mcp", enabled: false }, nobodyByMcp)).quarantined,
      false,
    );
  });
});

verifies(
  ["rest.redact.reveal", "rest.redact.reveal-mcp", "rest.redact.reveal-others"],
  "values are revealed to an authenticated administrator alone",
  () =>
    start(
      async (app) => {
        assert.equal(serverRecord(app, "git", adminByMcp.caller).env?.TOKEN, "open-sesame-123");
        for (const { caller } of [nobodyByMcp, agent(["git"])])
          assert.equal(serverRecord(app, "git", caller).env?.TOKEN, "••••23 (15 chars)");
      },
      { reveal_secret_headers: true },
    ),
);

test("an agent token changes nothing, by whatever way in (spec 000 §5)", () =>
  start(async (app) => {
    const { signal } = new AbortController();
    for (const by of [agent(["git", "held"], "mcp"), agent(["git", "held"], "api")]) {
      const attempts = [
        addServer(app, { name: "n", command: "x" }, by),
        patchServer(app, "git", { enabled: false }, by),
        removeServer(app, "git", by),
        enableServer(app, "git", by),
        disableServer(app, "git", by),
        quarantineServer(app, "git", by),
        restartServer(app, "git", by, signal),
        refreshServer(app, "git", by),
      ];
      for (const attempt of attempts) await refused(attempt, "admin_required");
    }
  }));

test("the operator's switches hold for MCP: adding, removing, managing at all", async () => {
  const tryAll = async (app: TestApp, codes: [string | undefined, string | undefined, string | undefined]) => {
    const attempts = [
      () => addServer(app, { name: "n", command: "x" }, adminByMcp),
      () => patchServer(app, "git", { reconnect_on_use: true }, adminByMcp),
      () => removeServer(app, "held", adminByMcp),
    ];
    for (const [i, code] of codes.entries())
      if (code) await refused(attempts[i]!(), code);
      else await attempts[i]!();
  };
  const off = "management_disabled";
  await start((app) => tryAll(app, [off, undefined, undefined]), { allow_server_add: false });
  await start((app) => tryAll(app, [undefined, undefined, off]), { allow_server_remove: false });
  await start((app) => tryAll(app, [off, off, off]), { disable_management: true });
  await start((app) => tryAll(app, [off, off, off]), { read_only_mode: true });
});
