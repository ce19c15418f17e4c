import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const params = { name: "git" };
const servers = [
  { name: "git", command: "x" },
  { name: "off", command: "x", enabled: false },
];

verifies(
  ["rest.state.enable", "rest.state.disable", "rest.servers.enable", "rest.servers.disable", "rest.health.admin-state"],
  "enable and disable set the wanted state and report the record",
  () =>
    withApp({ connect: false, servers }, async (app) => {
      const off = await call(app, "POST /api/v1/servers/{name}/disable", { params });
      assert.deepEqual([off.enabled, off.health.admin_state, off.health.action], [false, "disabled", "enable"]);
      assert.equal(app.config.server("git")?.enabled, false);

      const on = await call(app, "POST /api/v1/servers/{name}/enable", { params });
      assert.deepEqual([on.enabled, on.health.admin_state], [true, "enabled"]);
      const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "server_change" } });
      assert.deepEqual(
        activities.map((a) => a.metadata?.action),
        ["enable", "disable"],
      );
    }),
);

verifies(
  [
    "rest.state.bulk",
    "rest.servers.enable-all",
    "rest.servers.disable-all",
    "rest.servers.restart-all",
    "rest.servers.reconnect",
  ],
  "operations on all servers report each of them",
  () =>
    withApp({ connect: false, servers }, async (app) => {
      const off = await call(app, "POST /api/v1/servers/disable_all", {});
      assert.deepEqual([off.total, off.successful, off.failed, off.errors], [2, 2, 0, {}]);
      assert.deepEqual(off.servers, [
        { server: "git", ok: true, message: "disabled" },
        { server: "off", ok: true, message: "was already disabled" },
      ]);
      assert.ok(app.config.current().mcpServers.every((server) => !server.enabled));

      const on = await call(app, "POST /api/v1/servers/enable_all", {});
      assert.equal(on.servers.filter((s) => s.message === "enabled").length, 2);
      for (const route of ["POST /api/v1/servers/restart_all", "POST /api/v1/servers/reconnect"] as const) {
        const { total, failed, errors } = await call(app, route, {});
        assert.deepEqual([total, failed, Object.keys(errors)], [2, 2, ["git", "off"]]);
      }
    }),
);

test("a disabled server is not restarted but refused, saying how to enable it", () =>
  withApp({ connect: false, servers }, async (app) => {
    const { status, body } = await ask(app, "POST /api/v1/servers/off/restart");
    assert.deepEqual([status, body.code], [409, "server_disabled"]);
    assert.match(body.error, /proxy upstream enable off/);
  }));
