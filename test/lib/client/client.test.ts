import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import * as v from "valibot";
import { client, type RestRequest, type RestResponse, type Send } from "#lib/client/client.ts";
import { http } from "#lib/client/http.ts";
import { type InProcess, local } from "#lib/client/local.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";

const things = endpoint("POST /api/v1/things/{name}/parts", {
  summary: "Take a part",
  query: v.object({ limit: v.optional(v.string()) }),
  body: v.object({ part: v.string() }),
  data: v.object({ taken: v.number() }),
  run: () => ({ taken: 1 }),
});
type Api = { [E in typeof things as E["route"]]: E };
const ROUTE = "POST /api/v1/things/{name}/parts";
const ARGS = { params: { name: "a/b c" }, query: { limit: "3" }, body: { part: "x" } };

const answering = (answer: Partial<RestResponse>): Send => {
  return async () => ({ status: 200, text: '{"success":true,"data":{"taken":1}}', ...answer });
};

test("a call is made from the endpoint's route and typed by its schemas", async () => {
  let asked: RestRequest | undefined;
  const call = client<Api>(async (a) => {
    asked = a;
    return { status: 200, text: '{"success":true,"data":{"taken":2}}' };
  });

  const { taken } = await call(ROUTE, ARGS);

  assert.equal(taken satisfies number, 2);
  assert.deepEqual(
    [asked?.method, asked?.path, asked?.body],
    ["POST", "/api/v1/things/a%2Fb%20c/parts?limit=3", '{"part":"x"}'],
  );
  // @ts-expect-error an unknown route does not compile
  () => call("GET /api/v1/nothing", {});
  // @ts-expect-error a missing parameter does not compile
  () => call(ROUTE, { body: { part: "x" } });
  // @ts-expect-error a body of another type does not compile
  () => call(ROUTE, { ...ARGS, body: { part: 1 } });
});

test("a refusal carries status, code, message and request id", async () => {
  const text = '{"success":false,"error":"no such thing","code":"server_not_found","request_id":"r1"}';

  await assert.rejects(client<Api>(answering({ status: 404, text }))(ROUTE, ARGS), {
    name: "RestError",
    message: "no such thing",
    status: 404,
    code: "server_not_found",
    requestId: "r1",
  });
});

test("an answer that is not the proxy's is named as such", async () => {
  for (const text of ["<html>", "", "[1", '"x"', "null"])
    await assert.rejects(client<Api>(answering({ text }))(ROUTE, ARGS), { code: "client_misunderstood" });
});

test("a call that takes too long or is given up ends", async () => {
  const never: Send = ({ signal }) =>
    new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason), { once: true }));
  const stop = new AbortController();
  // The deadline's own timer keeps no process alive; a connection would.
  const alive = setTimeout(() => {}, 60_000);

  const slow = client<Api>(never)(ROUTE, ARGS, { timeoutMs: 5 });
  await assert.rejects(slow, { code: "client_timeout", message: /within 5 ms/ });
  clearTimeout(alive);

  const given = client<Api>(never)(ROUTE, ARGS, { signal: stop.signal });
  stop.abort(new Error("interrupted"));
  await assert.rejects(given, /interrupted/);
});

/** A real server at an address or a socket. */
async function serving(t: TestContext, at: number | string, answer: (q: IncomingMessage, s: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((done) =>
    typeof at === "number" ? server.listen(at, "127.0.0.1", done) : server.listen(at, done),
  );
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}
const asked = (over: Partial<RestRequest> = {}): RestRequest => ({
  method: "GET",
  path: "/x",
  signal: AbortSignal.timeout(60_000),
  maxBytes: 1000,
  ...over,
});
function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("over HTTP a call carries the key, the client's name, the request id, the body and the url's own path", async (t) => {
  const server = await serving(t, 0, (q, s) => {
    q.setEncoding("utf8")
      .toArray()
      .then((body) =>
        s.end(
          JSON.stringify([
            q.method,
            q.url,
            q.headers["x-api-key"],
            q.headers["user-agent"],
            q.headers["x-request-id"],
            body.join(""),
          ]),
        ),
      );
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/below/`);

  const got = await http({ url, key: "k" }, "proxy-cli/9")(asked({ method: "POST", body: '{"ü":1}', requestId: "r1" }));

  assert.deepEqual(
    [got.status, JSON.parse(got.text)],
    [200, ["POST", "/below/x", "k", "proxy-cli/9", "r1", '{"ü":1}']],
  );
});

test("over a socket a call needs no key", async (t) => {
  const socketPath = join(folder(t), "s.sock");
  await serving(t, socketPath, (q, s) => void s.writeHead(418).end(String(q.headers["x-api-key"])));

  assert.deepEqual(await http({ socketPath }, "proxy-cli/9")(asked()), { status: 418, text: "undefined" });
});

test("where nothing listens the answer says how to start a proxy", async (t) => {
  const server = await serving(t, 0, () => {});
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));

  const noSocket = http({ socketPath: join(folder(t), "none.sock") }, "x")(asked());
  await assert.rejects(noSocket, { code: "daemon_not_running", message: /none\.sock; start one/ });
  const nowhere = http({ url: new URL(`http://127.0.0.1:${port}`) }, "x")(asked());
  await assert.rejects(nowhere, {
    code: "daemon_not_running",
    message: /127\.0\.0\.1:\d+; start one with: proxy up/,
  });
});

test("a connection that breaks is a failure with its reason, not a defect", async (t) => {
  const server = await serving(t, 0, (q) => void q.socket.destroy());
  const { port } = server.address() as AddressInfo;

  await assert.rejects(http({ url: new URL(`http://127.0.0.1:${port}`) }, "x")(asked()), {
    code: "daemon_unreachable",
    message: /socket hang up|ECONNRESET/,
  });
});

test("an answer without end is cut off at the bound", async (t) => {
  const server = await serving(t, 0, (_, s) => {
    const timer = setInterval(() => s.write("x".repeat(300)), 1);
    s.on("close", () => clearInterval(timer));
  });
  const { port } = server.address() as AddressInfo;

  await assert.rejects(http({ url: new URL(`http://127.0.0.1:${port}`) }, "x")(asked()), {
    code: "client_answer_too_large",
  });
});

test("within the process the same call goes to a router", async () => {
  const router: InProcess = {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const got = await request.json();
      const [agent, id] = ["user-agent", "x-request-id"].map((name) => request.headers.get(name));
      return Response.json({ pathname, got, agent, id }, { status: 201 });
    },
  };

  const got = await local(router, "proxy-cli/9")(asked({ method: "POST", body: '{"a":1}', requestId: "r1" }));

  const said = { pathname: "/x", got: { a: 1 }, agent: "proxy-cli/9", id: "r1" };
  assert.deepEqual([got.status, JSON.parse(got.text)], [201, said]);
});
