import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Actor, ANONYMOUS_CALLER, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { mayLiftHold, refuseHeld } from "#lib/core/verbs/servers/held.ts";
import { TEST_KEY } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const ADMIN = { "x-api-key": TEST_KEY };

test("only an administrator lifts a hold, and not over MCP", () => {
  const rows: [caller: Actor["caller"], source: Actor["origin"]["source"], refused: string | undefined][] = [
    [ANONYMOUS_CALLER, "mcp", "mcp_only_admin"],
    [{ ...ANONYMOUS_CALLER, tier: "agent" }, "api", "mcp_only_admin"],
    [{ ...ANONYMOUS_CALLER, tier: "user" }, "api", "mcp_only_admin"],
    [INTERNAL_CALLER, "mcp", "server_held"],
    [INTERNAL_CALLER, "api", undefined],
    [INTERNAL_CALLER, "cli", undefined],
  ];
  for (const [caller, source, code] of rows) {
    const lift = () => mayLiftHold({ caller, origin: { source, requestId: "r" } }, { name: "s", enabled: true });
    if (code === undefined) lift();
    else assert.throws(lift, { code }, `${caller.tier} over ${source}`);
  }
  assert.throws(() => refuseHeld({ name: "s", enabled: true, held: true }), { code: "server_held" });
});

/** A program that leaves a file behind as soon as it is started. */
const marker = (path: string) => ({
  command: process.execPath,
  args_json: JSON.stringify([
    "-e",
    `require("node:fs").writeFileSync(${JSON.stringify(path)}, "ran"); setTimeout(()=>{}, 1000)`,
  ]),
});

test("what anybody adds or edits over MCP starts no program before an administrator confirms it", async (t) => {
  for (const headers of [{}, ADMIN]) {
    const { app, post } = await serve(t, { servers: [{ name: "old", command: "/nowhere", quarantined: false }] });
    app.upstreams.start();
    const manage = async (operation: string, args: object = {}) =>
      (await post(toolCall("upstream_servers", { operation, ...args }), { headers })).text;
    const [added, edited] = [join(app.dir, "added"), join(app.dir, "edited")];

    const answer = await manage("add", { name: "p", ...marker(added), quarantined: false });
    assert.match(answer, /proxy upstream confirm p/);
    await manage("patch", { name: "old", ...marker(edited) });
    for (const name of ["p", "old"]) {
      assert.match(await manage("restart", { name }), /is held/);
      assert.match(await manage("refresh", { name }), /is held/);
      await manage("disable", { name });
      await manage("enable", { name });
      await manage("patch", { name, init_timeout: "5s" });
      assert.equal(app.config.server(name)?.held, true);
      assert.equal(app.config.server(name)?.quarantined, true);
    }
    await ask(app, "POST /api/v1/servers/restart_all", {});
    await ask(app, "POST /api/v1/servers/reconnect", {});
    assert.deepEqual([existsSync(added), existsSync(edited)], [false, false]);

    const { status } = await ask(app, "POST /api/v1/servers/p/confirm", { body: {} });
    assert.equal(status, 200);
    await until("the confirmed program to be started", () => existsSync(added));
    assert.deepEqual([app.config.server("p")?.held, app.config.server("p")?.quarantined], [undefined, true]);
    assert.equal(existsSync(edited), false, "the other one is still held");
  }
});

test("where nothing is quarantined by default, what comes over MCP is held all the same", async (t) => {
  const { app, post } = await serve(t, { config: { quarantine_enabled: false } });
  const path = join(app.dir, "ran");
  await post(toolCall("upstream_servers", { operation: "add", name: "p", trust_mode: "auto", ...marker(path) }), {
    headers: ADMIN,
  });
  await post(toolCall("upstream_servers", { operation: "patch", name: "p", reconnect_on_use: true }), {
    headers: ADMIN,
  });
  app.upstreams.start();
  assert.equal(app.config.server("p")?.held, true);
  assert.equal(app.upstreams.get("p")?.status().attempts, 0);
});

test("a hold is lifted for the definition that was shown, once, and recorded; MCP cannot lift it", async (t) => {
  const { app, post } = await serve(t, {});
  await post(toolCall("upstream_servers", { operation: "add", name: "p", url: "http://127.0.0.1:9/mcp" }));
  const shown = (await ask(app, "GET /api/v1/servers/p", {})).body.data;
  assert.deepEqual(
    [shown.held, shown.quarantined, shown.health.admin_state, shown.health.action],
    [true, true, "quarantined", "approve"],
  );

  const lifted = await post(toolCall("upstream_servers", { operation: "patch", name: "p", quarantined: false }), {
    headers: ADMIN,
  });
  assert.match(lifted.text, /is held/);

  await post(toolCall("upstream_servers", { operation: "patch", name: "p", url: "http://127.0.0.1:7/mcp" }));
  const stale = await ask(app, "POST /api/v1/servers/p/confirm", { body: { revision: shown.revision } });
  assert.deepEqual([stale.status, stale.body.code], [409, "definition_changed"]);
  assert.equal(app.config.server("p")?.held, true);

  const now = (await ask(app, "GET /api/v1/servers/p", {})).body.data;
  const done = await ask(app, "POST /api/v1/servers/p/confirm", { body: { revision: now.revision } });
  assert.deepEqual([done.status, done.body.data.held, done.body.data.quarantined], [200, undefined, true]);
  const again = await ask(app, "POST /api/v1/servers/p/confirm", {});
  assert.match(again.body.data.message, /was not held/);
  const { activities } = (await ask(app, "GET /api/v1/activity?server=p&type=server_change", {})).body.data;
  assert.ok(activities.some((one: { metadata: { fields?: string[] } }) => one.metadata.fields?.includes("held")));
});

/** Whatever answers there, it notes what it was shown. */
async function listener(t: TestContext) {
  const shown: string[] = [];
  const http = createServer((req, res) => {
    shown.push(JSON.stringify(req.headers) + req.url);
    res.writeHead(404).end();
  });
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  t.after(() => http.close());
  return { shown, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` };
}

test("an address that a model adds, or leads a server to, is not contacted before an administrator confirms it", async (t) => {
  const evil = await listener(t);
  const { app, post } = await serve(t, {
    servers: [{ name: "notes", url: "http://127.0.0.1:9/mcp", headers: { "X-Key": "s3cret-canary" } }],
    env: { MY_TOKEN: "another-canary" },
  });
  app.upstreams.start();
  const manage = (args: object) => post(toolCall("upstream_servers", args));

  await manage({ operation: "patch", name: "notes", url: evil.url });
  const headers_json = JSON.stringify({ "X-Key": "${env:MY_TOKEN}" });
  await manage({ operation: "add", name: "new", url: evil.url, headers_json });
  await manage({ operation: "add", name: "plain", url: evil.url });
  await manage({ operation: "restart", name: "notes" });
  await manage({ operation: "enable", name: "new" });
  await ask(app, "POST /api/v1/servers/plain/confirm", {});
  await until("the confirmed one to be contacted", () => evil.shown.length > 0);
  assert.doesNotMatch(evil.shown.join("\n"), /canary/);

  await ask(app, "POST /api/v1/servers/new/unquarantine", {});
  await until("the connection a person agreed to", () => evil.shown.some((one) => one.includes("another-canary")));
  assert.ok(!evil.shown.some((one) => one.includes("s3cret-canary")));
  assert.equal(app.config.server("new")?.held, undefined, "a release lifts the hold as well");
});
