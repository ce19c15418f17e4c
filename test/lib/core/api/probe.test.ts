import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { readinessProbe } from "#lib/core/api/probe.ts";
import type { App } from "#lib/core/app.ts";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import { listenTest, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { withStates } from "#test/kit/states.ts";

/** One request with headers as given, over a real listener. */
const ask = (base: string, path: string, { method = "GET", host }: { method?: string; host?: string } = {}) =>
  new Promise<{ status: number; id: unknown; text: string }>((done, fail) => {
    const headers = { "x-request-id": "probe-1", ...(host !== undefined && { host }) };
    request(new URL(path, base), { method, headers, agent: false }, (res) => {
      let text = "";
      res.setEncoding("utf8").on("data", (part) => (text += part));
      res.on("end", () => done({ status: res.statusCode ?? 0, id: res.headers["x-request-id"], text }));
    })
      .on("error", fail)
      .end();
  });

test("a probe over a listener is answered like any endpoint: status, request id, Host check", () =>
  withApp({ connect: false }, async (app) => {
    const { url, close } = await listenTest(app);
    try {
      const rows: [path: string, how: object, status: number, text: RegExp][] = [
        ["/healthz", {}, 200, /^\{"status":"ok"\}$/],
        ["/healthz?verbose", {}, 200, /^\{"status":"ok"\}$/],
        ["/readyz", {}, 200, /^\{"ready":true\}$/],
        ["/healthz", { method: "HEAD" }, 200, /^$/],
        ["/healthz", { method: "POST" }, 405, /"code":"method_not_allowed"/],
        ["/healthz", { host: "evil.example" }, 403, /invalid Host header/],
        ["/constructor", {}, 404, /"code":"/],
      ];
      for (const [path, how, status, text] of rows) {
        const answer = await ask(url, path, how);

        assert.deepEqual([answer.status, answer.id], [status, "probe-1"], `${JSON.stringify(how)} ${path}`);
        assert.match(answer.text, text);
      }
    } finally {
      await close();
    }
  }));

const SERVERS = [
  { name: "git", command: "x" },
  { name: "off", command: "x", enabled: false },
];
const statusWith = (app: App, git: Partial<ConnectionStatus>) => readinessProbe(withStates(app, { git })).status;

for (const [state, wanted] of [
  [{ state: "Connecting" }, 503],
  [{ state: "Ready", listing: { listed: false } }, 503],
  [{ state: "Ready", listing: { listed: true } }, 200],
  [{ state: "Ready", listing: { listed: false, error: "no" }, lastError: "no" }, 200],
  [{ state: "Connecting", lastError: "refused" }, 200],
  [{ state: "Error", lastError: "refused" }, 200],
  [{ state: "Connecting", authRequired: true }, 200],
  [{ state: "Disconnected" }, 200],
] as [Partial<ConnectionStatus>, number][])
  test(`on the first start it is ready once each server has listed its tools, failed or waits for a person: ${JSON.stringify(state)}`, () =>
    withApp({ connect: false, servers: SERVERS }, async (app) => assert.equal(statusWith(app, state), wanted)));

test("it is ready after 30 s, and a server that connects again later changes nothing", () => {
  const clock = handClock();
  return withApp({ connect: false, clock, servers: SERVERS }, async (app) => {
    assert.equal(statusWith(app, { state: "Connecting" }), 503);
    assert.equal(statusWith(app, { state: "Ready", listing: { listed: true } }), 200);
    assert.equal(statusWith(app, { state: "Connecting" }), 200, "it was ready");
  }).then(() =>
    withApp({ connect: false, clock, servers: SERVERS }, async (app) => {
      assert.equal(statusWith(app, { state: "Connecting" }), 503);
      await clock.advance(30_001);
      assert.equal(statusWith(app, { state: "Connecting" }), 200);
    }),
  );
});

test("a replica of a cluster waits for its servers at each start, since others serve meanwhile; a single proxy does not", () =>
  withApp({ connect: false, servers: SERVERS }, async (app) => {
    const catalog = Object.create(app.catalog, { isFirst: { value: false }, ready: { value: true } });
    const later = { ...app, catalog };
    const replica = { ...later, store: { ...app.store, sharedConfig: {}, outdated: () => undefined } as never };

    assert.equal(statusWith(replica, { state: "Connecting" }), 503);
    assert.equal(statusWith(later, { state: "Connecting" }), 200);
  }));

test("a proxy that stops is not ready any more", () =>
  withApp({ connect: false }, async (app) => {
    assert.equal(readinessProbe(app).status, 200);
    app.boot.isStopping = true;
    assert.equal(readinessProbe(app).status, 503);
  }));

test("a large change of the index is waited for", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x", enabled: false }] }, async (app) => {
    const tools = Array.from({ length: 3000 }, (_, i) => ({
      name: `tool_${i}`,
      description: "reads a file",
      inputSchema: { type: "object" as const },
    }));
    let seen = 200;
    const accepted = app.catalog.acceptListing("git", tools);
    const watch = async () => {
      for (let over = false; !over && seen === 200; ) {
        over = await Promise.race([accepted.then(() => true), new Promise<false>((go) => setImmediate(go, false))]);
        seen = readinessProbe(app).status;
      }
    };

    await watch();
    assert.equal(seen, 503, "while it is built");
    await accepted;
    assert.equal(readinessProbe(app).status, 200, "when it is done");
  }));
