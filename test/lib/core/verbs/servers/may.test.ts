import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { add } from "#lib/core/verbs/servers/add.ts";
import { disable, enable, quarantine } from "#lib/core/verbs/servers/admin.ts";
import { patch } from "#lib/core/verbs/servers/patch.ts";
import { record } from "#lib/core/verbs/servers/record.ts";
import { refresh } from "#lib/core/verbs/servers/refresh.ts";
import { releaseServer } from "#lib/core/verbs/servers/release.ts";
import { remove } from "#lib/core/verbs/servers/remove.ts";
import { restart } from "#lib/core/verbs/servers/restart.ts";
import { approve } from "#lib/core/verbs/tools/approve.ts";
import { block } from "#lib/core/verbs/tools/block.ts";
import { setToolEnabled } from "#lib/core/verbs/tools/enable.ts";
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
      ["quarantined: false", () => patch(app, "held", { quarantined: false }, by)],
      ["trust_mode", () => patch(app, "git", { trust_mode: "auto" }, by)],
      ["auto_approve_tool_changes", () => patch(app, "git", { auto_approve_tool_changes: true }, by)],
      ["disabled_tools", () => patch(app, "git", { disabled_tools: [] }, by)],
      ["disabled_tools removed", () => patch(app, "git", { disabled_tools: null }, by)],
      ["enabled_tools", () => patch(app, "held", { enabled_tools: ["a"] }, by)],
      ["add with trust_mode", () => add(app, { name: "n", command: "x", trust_mode: "auto" }, by)],
      ["add with auto approval", () => add(app, { name: "n", command: "x", auto_approve_tool_changes: true }, by)],
      ["approve", () => approve(app, "git", "all", {}, by)],
      ["block", () => block(app, "git", "all", by)],
      ["enable a tool", () => setToolEnabled(app, "git", "log", true, by)],
    ];
    for (const [, attempt] of attempts) await refused(attempt(), "mcp_only_admin");

    assert.equal(JSON.stringify(app.config.current().mcpServers), before);
    assert.equal(app.catalog.get("git:log")?.status, "pending");
  }));

test("an unauthenticated MCP client manages servers otherwise; what it adds is quarantined", () =>
  start(async (app) => {
    const added = await add(app, { name: "n", command: "x", quarantined: false }, nobodyByMcp);
    assert.equal(added.quarantined, true);
    await app.config.update((draft) => {
      draft.quarantine_enabled = false;
    }, "test");
    assert.equal((await add(app, { name: "m", command: "x" }, nobodyByMcp)).quarantined, true);

    assert.equal((await patch(app, "git", { reconnect_on_use: true }, nobodyByMcp)).reconnect_on_use, true);
    assert.equal((await disable(app, "git", nobodyByMcp)).enabled, false);
    assert.equal((await enable(app, "git", nobodyByMcp)).enabled, true);
    assert.equal((await quarantine(app, "git", nobodyByMcp)).quarantined, true);
    await remove(app, "n", nobodyByMcp);
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
        assert.equal((await patch(app, "git", change, by)).quarantined, true, JSON.stringify(change));
        assert.equal(app.config.server("git")?.quarantined, true);
      });
  await start(async (app) => {
    assert.equal((await patch(app, "git", { command: "git-mcp", enabled: false }, nobodyByMcp)).quarantined, false);
  });
});

verifies(
  ["rest.redact.reveal", "rest.redact.reveal-mcp", "rest.redact.reveal-others"],
  "values are revealed to an authenticated administrator alone",
  () =>
    start(
      async (app) => {
        assert.equal(record(app, "git", adminByMcp.caller).env?.TOKEN, "open-sesame-123");
        for (const { caller } of [nobodyByMcp, agent(["git"])])
          assert.equal(record(app, "git", caller).env?.TOKEN, "••••23 (15 chars)");
      },
      { reveal_secret_headers: true },
    ),
);

test("an agent token changes nothing, by whatever way in (spec 000 §5)", () =>
  start(async (app) => {
    const { signal } = new AbortController();
    for (const by of [agent(["git", "held"], "mcp"), agent(["git", "held"], "api")]) {
      const attempts = [
        add(app, { name: "n", command: "x" }, by),
        patch(app, "git", { enabled: false }, by),
        remove(app, "git", by),
        enable(app, "git", by),
        disable(app, "git", by),
        quarantine(app, "git", by),
        restart(app, "git", by, signal),
        refresh(app, "git", by),
      ];
      for (const attempt of attempts) await refused(attempt, "admin_required");
    }
  }));

test("the operator's switches hold for MCP: adding, removing, managing at all", async () => {
  const tryAll = async (app: TestApp, codes: [string | undefined, string | undefined, string | undefined]) => {
    const attempts = [
      () => add(app, { name: "n", command: "x" }, adminByMcp),
      () => patch(app, "git", { reconnect_on_use: true }, adminByMcp),
      () => remove(app, "held", adminByMcp),
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
