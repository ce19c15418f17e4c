import assert from "node:assert/strict";
import { test } from "node:test";
import { routeLoaders } from "#handlers/route-loaders.gen.ts";
import { endpoints, files } from "#handlers/routes.gen.ts";
import { listenTest, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("every endpoint's file lies at its URL", () => {
  for (const [i, e] of endpoints.entries())
    assert.equal(
      files[i],
      `${e.path.slice(1).replace(/\/$/, "/index").replaceAll("{", "[").replaceAll("}", "]")}.${e.method.toLowerCase()}.ts`,
    );
});

test("the router loads the endpoints that typed clients and the documentation know, in the same order", async () => {
  const loaded = await Promise.all(routeLoaders.map((load) => load()));
  assert.deepEqual(
    loaded.map((module) => module.default),
    [...endpoints],
  );
});

verifies(
  [
    "rest.envelope.request-id",
    "rest.request-id.accepted",
    "rest.request-id.generated",
    "rest.request-id.in-errors",
    "rest.error.general",
    "rest.limit.request-id",
  ],
  "every answer names its request: the client's id when it is well formed, else a UUID",
  () =>
    withApp({ connect: false }, async (app) => {
      const key = { "x-api-key": "test-key-0123456789abcdef" };
      const rows: [string, Record<string, string>, number][] = [
        ["GET /api/v1/status", key, 200],
        ["GET /api/v1/status", {}, 401],
        ["GET /api/v1/nope", key, 404],
        ["PUT /api/v1/status", key, 405],
        ["POST /api/v1/servers", key, 400],
        ["GET /healthz", {}, 200],
        ["GET /", {}, 302],
        ["OPTIONS /api/v1/status", {}, 204],
      ];
      for (const [request, headers, wanted] of rows) {
        const given = await ask(app, request, { as: { ...headers, "x-request-id": "a_B-9" } });
        const made = await ask(app, request, { as: { ...headers, "x-request-id": "no spaces" } });
        assert.equal(given.status, wanted, request);
        assert.equal(given.headers.get("x-request-id"), "a_B-9", request);
        assert.match(made.headers.get("x-request-id") ?? "", UUID, request);
        if (wanted >= 400) {
          assert.equal(given.body.success, false);
          assert.equal(given.body.request_id, "a_B-9");
          assert.equal(typeof given.body.error, "string");
        }
      }
      const long = await ask(app, "GET /healthz", { as: { "x-request-id": "a".repeat(256) } });
      const longer = await ask(app, "GET /healthz", { as: { "x-request-id": "a".repeat(257) } });
      assert.equal(long.headers.get("x-request-id"), "a".repeat(256));
      assert.match(longer.headers.get("x-request-id") ?? "", UUID);
    }),
);

verifies(
  ["rest.auth.every-route", "rest.auth.401", "mcp.auth.rest-always", "rest.error.401"],
  "every /api/v1 route asks for credentials, paths that do not exist included",
  async () => {
    // Nobody has a credential before they have signed in (spec 001 §4.3).
    const before = ["auth/provider", "auth/login", "auth/callback", "user/credentials/{server}/callback"];
    const asking = endpoints.filter((e) => e.path.startsWith("/api/v1/") && !before.includes(e.path.slice(8)));
    const routes = [...asking.map((e) => e.route), "GET /api/v1/nope", "DELETE /api/v1/status"];
    // One proxy takes 300 wrong credentials in a row from this machine.
    for (let from = 0; from < routes.length; from += 100)
      await withApp({ connect: false }, async (app) => {
        for (const route of routes.slice(from, from + 100)) {
          const request = route.replaceAll(/\{\w+\}/g, "x");
          for (const as of [{}, { "x-api-key": "wrong" }, { authorization: "Bearer mcp_agt_0123" }]) {
            const { status, body, headers } = await ask(app, request, { as });
            assert.equal(status, 401, request);
            assert.equal(body.error, "missing or invalid credentials");
            assert.match(headers.get("www-authenticate") ?? "", /^Bearer/);
          }
        }
      });
  },
);

verifies(["rest.auth.header", "rest.auth.query", "rest.auth.socket"], "key in header or query, or the socket", () =>
  withApp({ connect: false }, async (app) => {
    const key = "test-key-0123456789abcdef";
    assert.equal((await ask(app, "GET /api/v1/status", { as: { "x-api-key": key } })).status, 200);
    assert.equal((await ask(app, "GET /api/v1/status", { as: { authorization: `Bearer ${key}` } })).status, 200);
    assert.equal((await ask(app, `GET /api/v1/status?apikey=${key}`, { as: {} })).status, 200);
    assert.equal((await ask(app, "GET /api/v1/status", { as: {}, listener: "socket" })).status, 200);
    assert.equal((await ask(app, "POST /api/v1/servers/enable_all", { as: {}, listener: "socket" })).status, 200);
  }),
);

verifies(
  ["host.host-check", "host.origin-check", "host.no-origin", "host.not-applied", "host.hot"],
  "a loopback listener refuses foreign hosts and origins, before it looks at anything else",
  () =>
    withApp({ connect: false }, async (app) => {
      const host = { as: { host: "evil.example" } };
      const origin = { as: { origin: "http://evil.example" } };

      const badHost = await ask(app, "GET /healthz", host);
      assert.deepEqual([badHost.status, badHost.body.error], [403, "Forbidden: invalid Host header"]);
      const badOrigin = await ask(app, "GET /healthz", origin);
      assert.deepEqual([badOrigin.status, badOrigin.body.error], [403, "Forbidden: invalid Origin header"]);
      assert.equal((await ask(app, "GET /healthz", { ...host, listener: "socket" })).status, 200);

      await app.config.update((draft) => {
        draft.trusted_hosts = ["evil.example"];
      }, "test");
      assert.equal((await ask(app, "GET /healthz", host)).status, 200);
      assert.equal((await ask(app, "GET /healthz", origin)).status, 200);

      await app.config.update((draft) => {
        draft.trusted_hosts = [];
      }, "test");
      app.boot.listenAddr = "0.0.0.0:8080";
      assert.equal((await ask(app, "GET /healthz", host)).status, 200);
      assert.equal((await ask(app, "GET /healthz", origin)).status, 200);
    }),
);

test("only pages of hosts that trusted_hosts names may read answers", () =>
  withApp({ connect: false, config: { trusted_hosts: ["*", "localhost:6274"] } }, async (app) => {
    const from = async (origin: string) => {
      const { status, headers } = await ask(app, "OPTIONS /api/v1/status", {
        as: { origin, "access-control-request-method": "PATCH", "access-control-request-headers": "x-api-key" },
      });
      assert.equal(status, 204);
      return [headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")];
    };

    assert.deepEqual(await from("http://localhost:6274"), ["http://localhost:6274", "x-api-key"]);
    for (const origin of [
      "http://localhost:5555",
      "http://127.0.0.1:3000",
      "chrome-extension://localhost",
      "file://localhost",
      "vscode-webview://localhost",
      "https://evil.example",
    ])
      assert.deepEqual(await from(origin), [null, null], origin);
  }));

test("a wrong method is told the right ones, and HEAD is GET without a body", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }] }, async (app) => {
    const wrong = await ask(app, "PUT /api/v1/servers/git");
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get("allow"), "DELETE, GET, HEAD, PATCH");
    assert.match(wrong.body.error, /DELETE, GET, HEAD, PATCH/);
    assert.equal((await ask(app, "DELETE /api/v1/status")).headers.get("allow"), "GET, HEAD");

    const head = await ask(app, "HEAD /api/v1/status");
    assert.deepEqual([head.status, head.body], [200, ""]);
  }));

test("a name in a path is unescaped once, whatever it holds", async () => {
  const names = ["io.github.x/y", "50%25", "a b", "ü&?#", "%2F", "constructor"];
  await withApp({ connect: false, servers: names.map((name) => ({ name, command: "x" })) }, async (app) => {
    for (const name of names) {
      const { status, body } = await ask(app, `GET /api/v1/servers/${encodeURIComponent(name)}/tools`);
      assert.deepEqual([status, body.data?.server_name], [200, name]);
    }
    assert.equal((await ask(app, "GET /api/v1/servers/%FF%FE/tools")).status, 400);
    assert.equal((await ask(app, "GET /api/v1/servers/%zz/tools")).status, 400);
    assert.equal((await ask(app, "GET /api/v1/servers/__proto__/tools")).status, 404);
  });
});

test("the root leads to the panel", () =>
  withApp({ connect: false }, async (app) => {
    const { status, headers } = await ask(app, "GET /", { as: {} });
    assert.deepEqual([status, headers.get("location")], [302, "/ui/"]);
  }));

test("a defect is answered as internal, telling nothing", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }] }, async (app) => {
    const broken = {
      ...app,
      get catalog(): never {
        throw new Error("secret detail");
      },
    };
    const { status, body } = await ask(broken, "GET /api/v1/status", {
      as: { "x-api-key": "test-key-0123456789abcdef", "x-request-id": "r1" },
    });
    assert.equal(status, 500);
    const docs = "/docs/guide/errors.html#internal";
    assert.deepEqual(body, { success: false, error: "internal error", code: "internal", request_id: "r1", docs });
  }));

test("a request waits for no answer if what other replicas issued cannot be read", () =>
  withApp({ connect: false }, async (app) => {
    Object.assign(app.store, { catchUp: () => Promise.reject(new Error("away")) });
    const { url, close } = await listenTest(app);
    const headers = { authorization: `Bearer mcp_agt_${"0".repeat(64)}`, "content-type": "application/json" };
    try {
      for (const [method, path] of [
        ["GET", "/api/v1/status"],
        ["POST", "/mcp"],
      ] as const)
        await assert.rejects(
          fetch(`${url}${path}`, { method, headers, ...(method === "POST" && { body: "{}" }) }),
          /fetch failed/,
          path,
        );
    } finally {
      await close();
    }
  }));
