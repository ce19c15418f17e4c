import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { readinessProbe } from "#lib/core/api/probe.ts";
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

test("on the first start it is ready once each server has listed its tools, failed or waits for a person, or after 30 s", () => {
  const clock = handClock();
  const servers = [
    { name: "git", command: "x" },
    { name: "off", command: "x", enabled: false },
  ];
  return withApp({ connect: false, clock, servers }, async (app) => {
    const status = (git: Partial<ConnectionStatus>) => readinessProbe(withStates(app, { git })).status;
    const rows: [Partial<ConnectionStatus>, 200 | 503][] = [
      [{ state: "Connecting" }, 503],
      [{ state: "Ready", listing: { listed: false } }, 503],
      [{ state: "Ready", listing: { listed: true } }, 200],
      [{ state: "Ready", listing: { listed: false, error: "no" }, lastError: "no" }, 200],
      [{ state: "Connecting", lastError: "refused" }, 200],
      [{ state: "Error", lastError: "refused" }, 200],
      [{ state: "Connecting", authRequired: true }, 200],
      [{ state: "Disconnected" }, 200],
    ];
    for (const [git, wanted] of rows) assert.equal(status(git), wanted, JSON.stringify(git));
    await clock.advance(30_001);
    assert.equal(status({ state: "Connecting" }), 200);
  });
});

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
