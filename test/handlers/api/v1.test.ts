import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { checkConfig } from "#lib/core/config/check.ts";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

/**
 * What is no management: the reference, the event stream, probes, metrics, the panel, where browsers come back to, and
 * the sign-in of MCP clients.
 */
const ELSEWHERE = /^\/(\.well-known|docs|events|healthz|readyz|metrics|ui|oauth|auth)(\/|$)/;

verifies(
  ["rest.what.listen", "rest.version.prefix"],
  "everything of management stands under /api/v1, on 127.0.0.1:8080",
  () =>
    withApp({ connect: false }, async (app) => {
      const stray = endpoints.filter(({ path }) => !path.startsWith("/api/v1/") && !ELSEWHERE.test(path));
      assert.deepEqual(
        stray.map(({ route }) => route),
        [],
      );
      const checked = checkConfig({});
      assert.equal(checked.ok && checked.config.listen, "127.0.0.1:8080");
      const [status, info] = [await call(app, "GET /api/v1/status", {}), await call(app, "GET /api/v1/info", {})];
      assert.deepEqual([status.version, info.version], ["0.0.0-test", "0.0.0-test"]);
    }),
);

verifies("rest.error.legacy", "a refusal carries error and code at top level, whoever reads which shape", () =>
  withApp({ connect: false }, async (app) => {
    for (const request of ["GET /api/v1/servers/none/tools", "GET /api/v1/nowhere", "POST /api/v1/status"]) {
      const { body } = await ask(app, request);
      assert.deepEqual([body.success, typeof body.error, typeof body.code], [false, "string", "string"], request);
      assert.match(body.code, /^[a-z_]+$/);
      assert.match(body.request_id, /^[\w-]{1,256}$/);
    }
  }),
);

test("no caller's mistake about a server is a 500: what is not there is 404, what clashes 409", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x", enabled: false }] }, async (app) => {
    const server = endpoints.filter(({ path }) => path.startsWith("/api/v1/servers/{name}"));
    assert.ok(server.length > 15);
    for (const { method, path } of server) {
      const target = path.replace("{name}", "none").replace("{tool}", "t");
      const { status } = await ask(app, `${method} ${target}`, method === "GET" ? {} : { body: {} });
      assert.ok([400, 404].includes(status), `${method} ${target}: ${status}`);
    }
    assert.equal((await ask(app, "POST /api/v1/servers", { body: { name: "git", command: "y" } })).status, 409);
    assert.equal((await ask(app, "POST /api/v1/servers/git/refresh", { body: {} })).status, 409);
  }));
