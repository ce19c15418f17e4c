import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const start = (fn: (app: TestApp) => Promise<void>) =>
  withApp(
    {
      connect: false,
      servers: [{ name: "git", command: "x", quarantined: true }],
      tools: { "git:log": "pending", "git:diff": "changed", "git:show": "approved" },
    },
    fn,
  );
const params = { name: "git" };

verifies(
  ["rest.state.unquarantine", "rest.state.quarantine", "rest.servers.quarantine", "rest.servers.unquarantine"],
  "a release approves what is pending and leaves what changed; quarantine takes nothing back",
  () =>
    start(async (app) => {
      const free = await call(app, "POST /api/v1/servers/{name}/unquarantine", { params });
      assert.deepEqual([free.quarantined, free.action, free.success], [false, "unquarantine", true]);
      const statuses = () => Object.fromEntries(app.catalog.of("git").map((row) => [row.name, row.status]));
      assert.deepEqual(statuses(), { log: "approved", diff: "changed", show: "approved" });

      const held = await call(app, "POST /api/v1/servers/{name}/quarantine", { params });
      assert.deepEqual([held.quarantined, held.health.admin_state], [true, "quarantined"]);
      assert.deepEqual(statuses(), { log: "approved", diff: "changed", show: "approved" });

      const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "quarantine_change" } });
      assert.deepEqual(
        activities.map((a) => a.metadata?.action),
        ["quarantine", "unquarantine"],
      );
    }),
);

test("a PATCH that lifts the quarantine does the same", () =>
  start(async (app) => {
    await call(app, "PATCH /api/v1/servers/{name}", { params, body: { quarantined: false } });
    assert.equal(app.catalog.get("git:log")?.status, "approved");
    assert.equal(app.catalog.get("git:diff")?.status, "changed");
  }));

verifies("rest.error.404", "an unknown server is 404 for every verb", () =>
  start(async (app) => {
    const verbs = ["enable", "disable", "restart", "quarantine", "unquarantine", "refresh", "discover-tools"];
    for (const request of [
      ...verbs.map((verb) => `POST /api/v1/servers/nope/${verb}`),
      "DELETE /api/v1/servers/nope",
      "GET /api/v1/servers/nope/logs",
      "GET /api/v1/servers/nope/tools",
      "GET /api/v1/servers/nope/tools/export",
      "GET /api/v1/servers/nope/tools/a/diff",
    ]) {
      const { status, body } = await ask(app, request);
      assert.deepEqual([status, body.error], [404, 'server "nope" not found'], request);
    }
  }),
);
