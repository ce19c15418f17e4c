import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const SHOW = "GET /api/v1/servers/{name}";
const SECRET = "open-sesame-0123456789";
const servers = [
  { name: "git", command: "uvx", args: ["git-mcp"], env: { TOKEN: SECRET } },
  { name: "web", url: "https://example.com/mcp", headers: { Authorization: `Bearer ${SECRET}` } },
];

verifies(
  ["rest.redact.surfaces", "rest.redact.args", "rest.server.isolation"],
  "one server is shown as in the list, masked, with what holds where its isolation is silent",
  () =>
    withApp(
      { connect: false, servers, config: { docker_isolation: { extra_args: ["--env", `TOKEN=${SECRET}`] } } },
      async (app) => {
        const { servers: listed } = await call(app, "GET /api/v1/servers", {});
        for (const one of listed) assert.deepEqual(await call(app, SHOW, { params: { name: one.name } }), one);
        assert.doesNotMatch(JSON.stringify(listed), new RegExp(SECRET));

        const [git, web] = listed;
        assert.equal(web!.isolation_defaults, undefined);
        const { extra_args, ...defaults } = git!.isolation_defaults!;
        assert.deepEqual(defaults, {
          enabled: false,
          mode: "docker",
          runtime_type: "python",
          image: "ghcr.io/astral-sh/uv:python3.13-bookworm-slim",
          network_mode: "bridge",
          memory_limit: "512m",
          cpu_limit: "1.0",
        });
        assert.equal(extra_args.length, 2);

        await call(app, "PATCH /api/v1/config", { body: { docker_isolation: { enabled: true, memory_limit: "1g" } } });
        const after = await call(app, SHOW, { params: { name: "git" } });
        assert.deepEqual([after.isolation_defaults!.enabled, after.isolation_defaults!.memory_limit], [true, "1g"]);
      },
    ),
);

test("its ETag is what a change is sent with", () =>
  withApp({ connect: false, servers }, async (app) => {
    const shown = await ask(app, "GET /api/v1/servers/git");
    const as = { "x-api-key": "test-key-0123456789abcdef", "if-match": shown.headers.get("etag")! };
    const body = { working_dir: "/srv" };

    assert.equal((await ask(app, "PATCH /api/v1/servers/git", { body, as })).status, 200);
    assert.equal((await ask(app, "PATCH /api/v1/servers/git", { body: { working_dir: "/tmp" }, as })).status, 412);
  }));

verifies(
  "rest.auth.token-scope",
  "a server that is not there is 404 with the nearest name that the asker may know",
  () =>
    withApp({ connect: false, servers: [...servers, { name: "gitlab", command: "uvx" }] }, async (app) => {
      const missing = await ask(app, "GET /api/v1/servers/gitt");
      assert.deepEqual([missing.status, missing.body.code], [404, "server_not_found"]);
      assert.equal(missing.body.error, 'server "gitt" not found; did you mean git?');

      const as = { "x-api-key": await issue(app, { allowed_servers: ["web"] }) };
      const hidden = await ask(app, "GET /api/v1/servers/git", { as });
      const absent = await ask(app, "GET /api/v1/servers/gix", { as });
      assert.deepEqual([hidden.status, hidden.body.error], [404, 'server "git" not found']);
      assert.deepEqual([absent.status, absent.body.error], [404, 'server "gix" not found']);
      assert.equal(
        (await ask(app, "GET /api/v1/servers/wep", { as })).body.error,
        'server "wep" not found; did you mean web?',
      );
    }),
);
