import assert from "node:assert/strict";
import { test } from "node:test";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { issue, shows } from "#test/kit/token.ts";

const SERVERS = [
  { name: "git", command: "x", quarantined: true },
  { name: "web", command: "x" },
];

test("the diagnostics of a server say how it is and what doctor finds about it alone", () =>
  withApp({ connect: false, servers: SERVERS, tools: { "git:log": "pending", "web:get": "approved" } }, async (app) => {
    const { status, body } = await ask(app, "GET /api/v1/servers/git/diagnostics");

    assert.equal(status, 200);
    const { server, connected, health, findings, catalog_size } = body.data;
    assert.deepEqual([server, connected, health.admin_state, catalog_size], ["git", false, "quarantined", 1]);
    assert.ok(findings.length > 0);
    assert.deepEqual([...new Set(findings.map((one: { server: string }) => one.server))], ["git"]);
  }));

test("a caller who may not see a server learns nothing of its diagnostics and calls", () =>
  withApp({ connect: false, servers: SERVERS }, async (app) => {
    const as = shows(await issue(app, { name: "web-only", allowed_servers: ["web"] }));
    for (const what of ["diagnostics", "tool-calls"]) {
      const hidden = await ask(app, `GET /api/v1/servers/git/${what}`, { as });
      const absent = await ask(app, `GET /api/v1/servers/none/${what}`, { as });
      assert.equal(hidden.status, 404);
      assert.equal(hidden.body.error, absent.body.error.replaceAll("none", "git"));
      assert.equal((await ask(app, `GET /api/v1/servers/web/${what}`, { as })).status, 200);
    }
  }));

test("the calls of a server are the activity list narrowed to it, with pages", () =>
  withApp({ connect: false, servers: SERVERS }, async (app) => {
    const add = (server_name: string, tool_name: string, type: "tool_call" | "server_change") =>
      recordActivity(app, admin, { type, status: "success", server_name, tool_name }).durable;
    for (const n of [1, 2, 3]) await add("git", `log_${n}`, "tool_call");
    await add("git", "", "server_change");
    await add("web", "get", "tool_call");

    const first = (await ask(app, "GET /api/v1/servers/git/tool-calls?limit=2")).body.data;
    assert.deepEqual(
      [first.server_name, first.total, first.tool_calls.map((one: { tool_name: string }) => one.tool_name)],
      ["git", 3, ["log_3", "log_2"]],
    );
    const rest = await ask(app, `GET /api/v1/servers/git/tool-calls?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual(
      rest.body.data.tool_calls.map((one: { tool_name: string }) => one.tool_name),
      ["log_1"],
    );
    const foreign = await ask(app, `GET /api/v1/servers/web/tool-calls?limit=2&cursor=${first.next_cursor}`);
    assert.equal(foreign.status, 400);
  }));
