import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ADD = "POST /api/v1/servers";

verifies(
  ["rest.servers.add", "rest.state.new", "rest.what.quarantine-default"],
  "an added server is quarantined unless the administrator or the configuration says otherwise",
  () =>
    withApp({ connect: false }, async (app) => {
      const rows = [
        [{ name: "a", command: "x" }, true],
        [{ name: "b", url: "https://example.com/mcp", quarantined: false }, false],
        [{ name: "c", command: "x", trust_mode: "auto" }, false],
        [{ name: "d", command: "x", trust_mode: "auto", quarantined: true }, true],
      ] as const;
      for (const [body, wanted] of rows) {
        const added = await call(app, ADD, { body });
        assert.deepEqual([added.name, added.quarantined, added.enabled], [body.name, wanted, true]);
        assert.equal(app.config.server(body.name)?.quarantined, wanted);
      }
      await app.config.update((draft) => {
        draft.quarantine_enabled = false;
      }, "test");
      assert.equal((await call(app, ADD, { body: { name: "e", command: "x" } })).quarantined, false);
    }),
);

test("a name that is taken is 409, a server of nothing 400", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }] }, async (app) => {
    const taken = await ask(app, ADD, { body: { name: "git", command: "y" } });
    assert.deepEqual([taken.status, taken.body.error], [409, 'server "git" already exists']);
    assert.equal((await ask(app, ADD, { body: { name: "new" } })).status, 400);
    assert.equal((await ask(app, ADD, { body: { name: "a:b", command: "x" } })).status, 400);
    assert.equal(app.config.server("git")?.command, "x");
  }));

verifies(["rest.servers.add-no-masks", "rest.redact.echo-post"], "a new server takes no masks", () =>
  withApp({ connect: false }, async (app) => {
    for (const part of [{ env: { T: "••••ab (9 chars)" } }, { args: ["••••ab (9 chars)"] }]) {
      const { status, body } = await ask(app, ADD, { body: { name: "a", command: "x", ...part } });
      assert.deepEqual([status, body.code], [400, "echoed_mask"]);
    }
    const named = await ask(app, ADD, { body: { name: "••••ab (9 chars)", command: "x" } });
    assert.deepEqual([named.status, named.body.code], [400, "echoed_mask"]);
    assert.equal(app.config.current().mcpServers.length, 0);
  }),
);

test("read-only mode refuses every change of servers", () =>
  withApp(
    { connect: false, config: { read_only_mode: true }, servers: [{ name: "git", command: "x" }] },
    async (app) => {
      for (const [request, body] of [
        [ADD, { name: "a", command: "x" }],
        ["PATCH /api/v1/servers/git", { enabled: false }],
        ["DELETE /api/v1/servers/git", undefined],
        ["POST /api/v1/servers/git/disable", undefined],
        ["POST /api/v1/servers/git/quarantine", undefined],
        ["POST /api/v1/servers/disable_all", undefined],
        ["POST /api/v1/servers/git/tools/approve", { approve_all: true }],
      ] as const) {
        const { status, body: answer } = await ask(app, request, { body });
        assert.deepEqual([status, answer.code], [403, "management_disabled"], request);
      }
      assert.equal((await ask(app, "GET /api/v1/servers")).status, 200);
    },
  ));

test("what is added is recorded, with who did it", () =>
  withApp({ connect: false }, async (app) => {
    await call(app, ADD, { body: { name: "a", command: "x", env: { TOKEN: "sesame-street-1" } } });

    const { activities } = await call(app, "GET /api/v1/activity", { query: { server: "a" } });
    assert.equal(activities.length, 1);
    const [{ type, source, actor, status, metadata }] = activities as [(typeof activities)[number]];
    assert.deepEqual(
      { type, source, actor, status, metadata },
      {
        type: "server_change",
        source: "api",
        actor: "admin",
        status: "success",
        metadata: { action: "add", quarantined: true },
      },
    );
  }));
