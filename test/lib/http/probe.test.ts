import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { listenTest, withApp } from "#test/kit/app.ts";

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
