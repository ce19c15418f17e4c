import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { matchedRevision } from "#lib/core/api/revision.ts";
import { TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";

const SERVER = { name: "git", command: "git-mcp", quarantined: true, env: { TOKEN: "0123456789abcdefghij" } };
const started = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false, servers: [SERVER], tools: { "git:log": "pending" } }, fn);

const meantFor = (app: TestApp, route: string, tag: string, body?: unknown) =>
  ask(app, route, { as: { "x-api-key": TEST_KEY, "if-match": tag }, ...(body !== undefined && { body }) });

/** Routes of the two subjects that change neither: they ask others, or keep something beside the configuration. */
const NO_CHANGE = /^POST \/api\/v1\/config\/validate$/;

test("every route that changes a server or the configuration is refused with 412 for a state that is no more", () =>
  started(async (app) => {
    const before = app.config.revision();
    const changing = endpoints.filter(
      ({ method, path, route }) =>
        method !== "GET" &&
        !NO_CHANGE.test(route) &&
        /^\/api\/v1\/(?:admin\/)?(?:servers|config|registries)(?:\/|$)/.test(path),
    );
    assert.ok(changing.length > 30);
    for (const { route, path } of changing) {
      const target = route
        .replace("{name}", "git")
        .replace("{tool}", "log")
        .replaceAll(/\{\w+\}/g, "1");
      // Each body is one that some of them take; what a body lacks is reported before the header is read.
      const bodies = [
        undefined,
        {},
        { name: "x", command: "x" },
        { code: "x" },
        { tools: ["log"] },
        { kinds: ["prompt"], names: ["ask"] },
        { enabled: true },
        ...MORE,
      ];
      const answers = [];
      for (const body of bodies) answers.push(await meantFor(app, target, '"stale"', body));
      const codes = answers.map(({ body }) => body.code);
      assert.ok(codes.includes("changed_meanwhile"), `${route}: ${codes}`);
      assert.ok(
        answers.every(({ status }) => status >= 400),
        route,
      );
      assert.match(
        answers.find(({ status }) => status === 412)!.body.error,
        path.includes("servers/{name}") ? /server "git"/ : /the configuration/,
      );
    }
    assert.equal(app.config.revision(), before);
    assert.equal(app.catalog.get("git:log")?.status, "pending");
  }));

/** Bodies that one route each takes. */
const MORE = [
  { scope: "env", key: "TOKEN", secret_name: "s" },
  { url: "https://registry.example" },
  { path: "/none" },
  { content: "{}" },
  { redirect_url: "x" },
];

test("an action is done for the state that it names, and of two for one state one is refused", () =>
  started(async (app) => {
    const tag = (await ask(app, "GET /api/v1/servers/git")).headers.get("etag")!;
    const first = await meantFor(app, "POST /api/v1/servers/git/disable", tag);
    assert.equal(first.status, 200);

    const [second, third] = [`"${first.body.data.revision}"`, `"x", "${first.body.data.revision}"`];
    const both = await Promise.all([
      meantFor(app, "POST /api/v1/servers/git/enable", second),
      meantFor(app, "PATCH /api/v1/servers/git", second, { working_dir: "/srv" }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412]);
    assert.equal((await meantFor(app, "DELETE /api/v1/servers/git", third)).status, 412);
    assert.ok(app.config.server("git"));
  }));

test("a release for the state that was shown approves; any state is named by *", () =>
  started(async (app) => {
    const tag = (await ask(app, "GET /api/v1/servers/git")).headers.get("etag")!;
    assert.equal((await meantFor(app, "POST /api/v1/servers/git/unquarantine", '"stale"')).status, 412);
    assert.equal(app.config.server("git")?.quarantined, true);
    assert.equal((await meantFor(app, "POST /api/v1/servers/git/unquarantine", tag)).status, 200);
    assert.equal(app.catalog.get("git:log")?.status, "approved");
    assert.equal((await meantFor(app, "POST /api/v1/servers/git/quarantine", "*")).status, 200);
    assert.equal((await meantFor(app, "POST /api/v1/servers/nope/enable", '"stale"')).status, 404);
  }));

test("routes that change neither ignore the header", () => {
  for (const { route, method, path } of endpoints)
    if (method === "GET" || NO_CHANGE.test(route)) assert.equal(matchedRevision({ method, path }), undefined, route);
});
