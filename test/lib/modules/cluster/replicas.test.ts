import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { TestApp } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { ask, call } from "#test/kit/http.ts";
import { browse, signedIn } from "#test/kit/panel-session.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
/** A second on a machine that does nothing else; these tests also run on busy ones. */
const LATEST_MS = 10_000;

/** Waits for what another replica must do within a second. */
async function within(what: string, done: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  await until(what, done);
  const took = Math.round(performance.now() - began);
  assert.ok(took < LATEST_MS, `${what} took ${took} ms`);
}

const servers = (app: TestApp) => app.config.current().mcpServers.map(({ name }) => name);

test("a server that is added, changed or removed at one replica is so at the other within a second", {
  skip,
}, async (t) => {
  const [a, b] = (await openClusterApps(t, server!.database())) as [TestApp, TestApp];

  await call(a, "POST /api/v1/servers", { body: { name: "git", url: "http://127.0.0.1:9/mcp", enabled: false } });
  await within("the server is added", () => servers(b).includes("git"));

  const { headers } = await ask(b, "GET /api/v1/config");
  const match = (app: TestApp, tag: string) =>
    ask(app, "PATCH /api/v1/config", {
      as: { "x-api-key": app.boot.apiKey, "if-match": tag },
      body: { tools_limit: 7 },
    });
  assert.equal((await match(a, headers.get("etag")!)).status, 200, "the revision of b counts at a");
  await within("the setting is changed", () => b.config.current().tools_limit === 7);
  assert.equal((await match(b, headers.get("etag")!)).status, 412, "the revision has passed");

  await call(b, "DELETE /api/v1/servers/{name}", { params: { name: "git" } });
  await within("the server is removed", () => !servers(a).includes("git"));
});

test("a tool that is approved at one replica can be called at the other within a second", { skip }, async (t) => {
  const upstream = await startProgram("upstream-http.mjs");
  const [a, b] = (await openClusterApps(t, server!.database(), {
    connect: true,
    servers: [{ name: "up", url: upstream.url, protocol: "streamable-http", quarantined: true }],
  })) as [TestApp, TestApp];
  await until("both list the tools", () => [a, b].every((app) => app.catalog.of("up").length > 0));
  const [tool] = b.catalog.of("up");
  const allowed = async () => {
    const { body } = await ask(b, "POST /api/v1/preflight", { body: { tools: [tool!.id] } });
    return JSON.stringify(body);
  };
  assert.notEqual(tool!.status, "approved");

  await call(a, "PATCH /api/v1/servers/{name}", { params: { name: "up" }, body: { quarantined: false } });
  await call(a, "POST /api/v1/servers/{name}/tools/approve", { params: { name: "up" }, body: { approve_all: true } });

  await within("the tool is approved", () => b.catalog.get(tool!.id)?.status === "approved");
  await within("the server is released", () => !b.config.quarantined(b.config.server("up")!));
  assert.ok(await allowed());
  await call(a, "POST /api/v1/servers/{name}/tools/block", { params: { name: "up" }, body: { tools: [tool!.name] } });
  await within("the tool is blocked", () => b.catalog.get(tool!.id)?.disabled === true);
});

test("a token and a browser's session of one replica are valid at the other at once, and invalid there once it is revoked", {
  skip,
}, async (t) => {
  const [a, b] = (await openClusterApps(t, server!.database())) as [TestApp, TestApp];
  const token = await issue(a, { name: "bot" });
  const status = async () => (await ask(b, "GET /api/v1/servers", { as: shows(token) })).status;

  assert.equal(await status(), 200);
  const cookie = await signedIn(a, { key: a.boot.apiKey });
  assert.equal((await browse(b, "GET /api/v1/servers", cookie)).status, 200);
  await call(a, "DELETE /api/v1/tokens/{name}", { params: { name: "bot" } });
  await within("the token is invalid", async () => (await status()) === 401);
});

test("while the database is away, calls go on for the stated time; then they are refused until it answers", {
  skip,
}, async (t) => {
  const [app] = (await openClusterApps(t, server!.database(), { count: 1, cluster: { max_stale: "5s" } })) as [TestApp];
  const token = await issue(app, { name: "bot" });
  const status = async () => (await ask(app, "GET /api/v1/servers", { as: shows(token) })).status;
  const ready = async () => (await ask(app, "GET /readyz", { as: "nobody" })).status;

  await server!.stop();
  try {
    assert.equal(await status(), 200);
    const change = await ask(app, "PATCH /api/v1/config", { body: { tools_limit: 9 } });
    assert.deepEqual([change.status, change.body.code], [503, "cluster_database_away"]);
    assert.equal(app.config.current().tools_limit, 15, "the change is not in force");
    assert.equal(await status(), 200);
    assert.equal(await ready(), 200, "no replica leaves the load balancer while it may decide");

    await until("the time is over", async () => (await status()) === 503);
    const refused = await ask(app, "POST /mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    assert.deepEqual([refused.status, await ready()], [503, 503]);
    assert.match(JSON.stringify(refused.body), /cluster_outdated/);
    assert.equal((await ask(app, "GET /api/v1/servers")).status, 200, "an administrator still sees the state");
  } finally {
    await server!.start();
  }

  await until("calls go on", async () => (await status()) === 200);
  assert.equal((await ask(app, "PATCH /api/v1/config", { body: { tools_limit: 9 } })).status, 200);
});

test("states that one replica hands out are opened by the other, whichever makes the key first", {
  skip,
}, async (t) => {
  const { sealedStates } = await import("#lib/core/mcp/sealed-states.ts");
  const both = await openClusterApps(t, server!.database());
  const states = both.map((app) => app.part(sealedStates));

  const sealed = await Promise.all(states.map((one) => one.seal("place", "text", 60_000)));

  // At once: a client may send its next request to another replica before a notification arrives there.
  const texts = await Promise.all(states.flatMap((one) => sealed.map((text) => one.open("place", text))));
  assert.deepEqual(texts, Array(4).fill("text"));
});

test("a replica does not start with settings that cannot work, and says what to do", { skip }, async (t) => {
  const url = server!.database();
  const rows: [cluster: object, code: string, message: RegExp][] = [
    [{ encryption_keys: [] }, "cluster_key_missing", /openssl rand -base64 32/],
    [{ encryption_keys: ["short"] }, "cluster_key_missing", /number 1 is not 32 bytes/],
    [{ encryption_keys: [`\${env:NO_SUCH_KEY}`] }, "cluster_key_missing", /NO_SUCH_KEY/],
    [{ database_url: "mysql://x" }, "cluster_url_invalid", /its scheme is mysql/],
    [{ database_url: `\${env:NO_SUCH_URL}` }, "cluster_url_invalid", /NO_SUCH_URL/],
    [{ database_url: "postgres://u@127.0.0.1:1/x" }, "cluster_database_unreachable", /start the server/],
  ];
  for (const [cluster, code, message] of rows)
    await assert.rejects(openClusterApps(t, url, { count: 1, cluster }), { code, message });
});

test("a replica without the key of those that run does not start; a new key needs that none runs", {
  skip,
}, async (t) => {
  const url = server!.database();
  const keyOf = (n: number) => Buffer.alloc(32, n).toString("base64");
  const start = async (...keys: number[]) => {
    const [app] = await openClusterApps(t, url, { count: 1, cluster: { encryption_keys: keys.map(keyOf) } });
    await until("its key is known", () => app!.store.meta.get("cluster.api_key") !== undefined);
    return app!;
  };
  const first = await start(1);

  await assert.rejects(start(2), { code: "cluster_key_wrong", message: /use their keys/ });
  const second = await start(1, 2);
  await second.close();
  await first.close();
  await start(2);
});

test("the password in the URL is shown to nobody", { skip }, async (t) => {
  const url = server!.database().replace("@", ":s3cret-pass@");
  const [app] = (await openClusterApps(t, url, { count: 1 })) as [TestApp];

  for (const path of ["/api/v1/config", "/api/v1/doctor", "/api/v1/status"]) {
    const { body } = await ask(app, `GET ${path}`);
    assert.doesNotMatch(JSON.stringify(body), /s3cret-pass/, path);
    assert.ok(!JSON.stringify(body).includes(app.config.current().cluster.encryption_keys[0]!), path);
  }
});

test("replicas with different API keys are told so", { skip }, async (t) => {
  const url = server!.database();
  const keys = { encryption_keys: [Buffer.alloc(32, 1).toString("base64")] };
  const codes = async (app: TestApp) => {
    const key = { "x-api-key": app.boot.apiKey };
    const { body } = await ask(app, "GET /api/v1/doctor", { as: key });
    return JSON.stringify(body).includes("cluster_api_keys_differ");
  };

  const [a] = await openClusterApps(t, url, { count: 1, cluster: keys });
  const [b] = await openClusterApps(t, url, { count: 1, cluster: keys });
  await new Promise((done) => setTimeout(done, 200));
  const [c] = await openClusterApps(t, url, { count: 1, cluster: keys, config: { api_key: "another-key-0123456789" } });

  await until("the difference is found", () => codes(c!));
  assert.deepEqual([await codes(a!), await codes(b!)], [false, false]);
});
