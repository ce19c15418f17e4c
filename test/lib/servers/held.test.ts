import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import * as v from "valibot";
import { DockerIsolation } from "#lib/config/blocks.ts";
import type { ServerConfig } from "#lib/config/schema.ts";
import { leadsAway, loosens } from "#lib/servers/held.ts";
import { ask } from "#test/kit/http.ts";
import { serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const server = (over: Partial<ServerConfig>) => ({ name: "s", enabled: true, ...over }) as ServerConfig;
const settings = (given: object) => v.parse(DockerIsolation, given);
const REMOTE = server({ url: "https://a.example", headers: { "X-Key": "k" } });

test("what could show credentials to somebody else waits for the review; what holds none, or only its author's, does not", () => {
  const rows: [before: ServerConfig | undefined, next: ServerConfig, held: boolean][] = [
    [undefined, server({ url: "https://a.example" }), false],
    [undefined, server({ url: "https://a.example", headers: { "X-Key": "the model's own" } }), false],
    [undefined, server({ url: "https://a.example", headers: { "X-Key": "${keyring:k}" } }), true],
    [undefined, server({ url: "https://a.example/?k=${env:K}" }), true],
    [undefined, server({ command: "x", args: ["--key=${env:K}"] }), true],
    [undefined, server({ command: "x", env: { K: "a${env:K}b" } }), true],
    [undefined, server({ url: "https://a.example", oauth: { client_secret: "${keyring:k}" } }), true],
    [REMOTE, { ...REMOTE, url: "https://b.example" }, true],
    [REMOTE, { ...REMOTE, url: "https://b.example", headers: {} }, true],
    [REMOTE, { ...REMOTE, init_timeout: "5s" }, false],
    [{ ...REMOTE, held: true }, { ...REMOTE, held: true, init_timeout: "5s" }, true],
    [server({ command: "x" }), server({ command: "y" }), false],
    [server({ command: "x", env: { K: "v" } }), server({ command: "y", env: { K: "v" } }), true],
    [server({ url: "https://a.example" }), server({ url: "https://b.example" }), false],
    [server({ command: "x", args: ["--token", "k"] }), server({ command: "y", args: ["--token", "k"] }), true],
    [server({ command: "x", args: ["--token", "k"] }), server({ command: "y", args: ["-v"] }), false],
  ];
  for (const [before, next, held] of rows) assert.equal(leadsAway(before, next), held, JSON.stringify([before, next]));
});

test("while servers are kept apart, one that says itself how far waits for the review", () => {
  const own = (isolation: ServerConfig["isolation"], over = {}) => server({ command: "x", isolation, ...over });
  const rows: [before: ServerConfig | undefined, next: ServerConfig, global: boolean, held: boolean][] = [
    [undefined, server({ command: "x" }), true, false],
    [undefined, server({ url: "https://a.example", isolation: { enabled: false } }), true, false],
    [undefined, own({}), true, false],
    [undefined, own({ enabled: true, enabled_override: true, memory_limit: "64m" }), true, false],
    [undefined, own({ enabled_override: false }), true, true],
    [undefined, own({ enabled: false }), true, true],
    [undefined, own({ mode: "none" }), true, true],
    [undefined, own({ mode: "sandbox" }), true, true],
    [undefined, own({ network_mode: "host" }), true, true],
    [undefined, own({ extra_args: ["-v", "/:/host"] }), true, true],
    [undefined, server({ command: "x", working_dir: "/" }), true, true],
    [undefined, server({ command: "/usr/bin/docker" }), true, true],
    [undefined, own({ enabled_override: false }), false, false],
    [undefined, server({ command: "x", working_dir: "/" }), false, false],
    [own({ enabled_override: true }), server({ command: "x" }), false, true],
    [own({ enabled_override: true }), own({ enabled_override: true }, { args: ["-v"] }), false, false],
  ];
  for (const [before, next, enabled, held] of rows)
    assert.equal(loosens(before, next, settings({ enabled })), held, JSON.stringify([before, next, enabled]));
  assert.equal(loosens(undefined, own({ mode: "none" }), settings({ enabled: true, mode: "none" })), false);
});

test("over MCP no server is started outside of what all are kept in before a person agrees", async (t) => {
  const { app, post } = await serve(t, { config: { docker_isolation: { enabled: true } }, connect: false });
  const isolation_json = JSON.stringify({ enabled_override: false });
  await post(toolCall("upstream_servers", { operation: "add", name: "out", command: "x", isolation_json }));
  await post(toolCall("upstream_servers", { operation: "add", name: "in", command: "x" }));
  assert.deepEqual([app.config.server("out")?.held, app.config.server("in")?.held], [true, undefined]);
  await post(toolCall("upstream_servers", { operation: "patch", name: "in", isolation_json }));
  assert.equal(app.config.server("in")?.held, true);
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

test("a model that leads a server elsewhere, or adds one with a reference, is shown no credential before a person agrees", async (t) => {
  const evil = await listener(t);
  const { app, post } = await serve(t, {
    servers: [{ name: "notes", url: "http://127.0.0.1:9/mcp", headers: { "X-Key": "s3cret-canary" } }],
    env: { MY_TOKEN: "another-canary" },
  });
  app.upstreams.reconcile();
  const manage = (args: object) => post(toolCall("upstream_servers", args));

  await manage({ operation: "patch", name: "notes", url: evil.url });
  const headers_json = JSON.stringify({ "X-Key": "${env:MY_TOKEN}" });
  await manage({ operation: "add", name: "new", url: evil.url, headers_json });
  await manage({ operation: "add", name: "plain", url: evil.url });
  await manage({ operation: "restart", name: "notes" });
  await manage({ operation: "enable", name: "new" });
  await until("the one without credentials to be tried", () => evil.shown.length > 0);
  assert.doesNotMatch(evil.shown.join("\n"), /canary/);

  const { body } = await ask(app, "GET /api/v1/servers", {});
  const health = body.data.servers.find((one: { name: string }) => one.name === "notes").health;
  assert.equal(health.action, "approve");
  assert.match(health.detail, /not connected to before the quarantine is lifted/);

  await ask(app, "POST /api/v1/servers/new/unquarantine", {});
  await until("the connection a person agreed to", () => evil.shown.some((one) => one.includes("another-canary")));
  assert.ok(!evil.shown.some((one) => one.includes("s3cret-canary")));
  assert.equal(app.config.server("new")?.held, undefined);
});
