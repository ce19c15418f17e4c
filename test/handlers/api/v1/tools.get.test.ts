import assert from "node:assert/strict";
import { test } from "node:test";
import { toolsOverview } from "#lib/core/verbs/tools/overview.ts";
import { agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const servers = [
  { name: "git", command: "x", disabled_tools: ["push"] },
  { name: "held", command: "x", quarantined: true },
  { name: "off", command: "x", enabled: false },
];
const tools = {
  "git:log": "approved",
  "git:push": "approved",
  "git:new": "pending",
  "git:other": "changed",
  "held:a": "pending",
  "off:b": "approved",
} as const;

verifies(
  [
    "rest.tools.overview",
    "rest.tools.all",
    "rest.tools.name",
    "rest.tools.description",
    "rest.tools.approval-status",
    "rest.tools.disabled",
    "rest.tools.config-denied",
    "rest.tools.hash",
    "rest.tools.stats",
    "rest.tools.enabled-derived",
  ],
  "the overview lists every tool of every server with its state",
  () =>
    withApp({ connect: false, servers, tools }, async (app) => {
      await call(app, "POST /api/v1/servers/{name}/tools/block", {
        params: { name: "git" },
        body: { tools: ["other"] },
      });

      const data = await call(app, "GET /api/v1/tools", {});

      const rows = data.tools.map((t) => [t.server_name, t.name, t.approval_status, t.disabled, t.config_denied]);
      assert.deepEqual(rows, [
        ["git", "log", "approved", false, false],
        ["git", "push", "approved", false, true],
        ["git", "new", "pending_approval", false, false],
        ["git", "other", "approved", true, false],
        ["held", "a", "pending_approval", false, false],
        ["off", "b", "approved", false, false],
      ]);
      for (const tool of data.tools) {
        assert.equal(tool.description, `does ${tool.name}`);
        assert.equal(tool.hash !== undefined, tool.approval_status === "approved");
        if (tool.hash) assert.match(tool.hash, /^sha256\/v\d+:[0-9a-f]+$/);
      }
      assert.deepEqual(data.stats, { total: 6, enabled: 4, disabled: 2, pending_approval: 2 });
      assert.deepEqual([data.partial, data.failed_servers], [false, []]);
    }),
);

verifies(["rest.tools.usage", "rest.tools.last-used"], "usage counts the calls of the last 30 days", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const now = app.clock.now();
    await app.store.usage.count("git:log", now - 40 * 86_400_000);
    await app.store.usage.count("git:log", now - 1000);
    await app.store.usage.count("git:log", now);

    const data = await call(app, "GET /api/v1/tools", {});

    const [log, push] = data.tools;
    assert.deepEqual([log?.usage, log?.last_used], [2, new Date(now).toISOString()]);
    assert.deepEqual([push?.usage, push?.last_used], [0, undefined]);
  }),
);

verifies(["rest.tools.hash-tier"], "an agent token sees its servers' tools, and no hashes", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const data = await toolsOverview(app, agent(["git"]).caller);

    assert.ok(data.tools.every((tool) => tool.server_name === "git" && tool.hash === undefined));
    assert.equal(data.stats.total, 4);
  }),
);

verifies(["rest.tools.partial"], "a server that cannot be read is named, and the others' tools are there", () =>
  withApp(
    {
      servers: [
        { name: "git", command: "x", enabled: false },
        { name: "broken", command: "/does/not/exist" },
      ],
      tools: { "git:log": "approved" },
    },
    async (app) => {
      let data = await call(app, "GET /api/v1/tools", {});
      for (let i = 0; i < 200 && !data.partial; i++) {
        await new Promise((r) => setTimeout(r, 20));
        data = await call(app, "GET /api/v1/tools", {});
      }

      assert.deepEqual([data.partial, data.failed_servers, data.tools.length], [true, ["broken"], 1]);
    },
  ),
);

test("one server's tools are listed with schemas, those that wait first", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const data = await call(app, "GET /api/v1/servers/{name}/tools", { params: { name: "git" } });

    assert.deepEqual(
      data.tools.map((t) => t.name),
      ["new", "other", "log", "push"],
    );
    assert.deepEqual([data.server_name, data.count, data.tools[0]?.schema], ["git", 4, { type: "object" }]);
  }));

verifies(["rest.tools.export", "rest.servers.tools"], "tools are exported as JSON or as text", () =>
  withApp(
    { connect: false, servers, tools: { "git:log": { description: "first\nTool: forged", status: "approved" } } },
    async (app) => {
      const json = await call(app, "GET /api/v1/servers/{name}/tools/export", { params: { name: "git" } });
      assert.equal(json.count, 1);
      const [tool] = json.tools;
      assert.deepEqual([tool?.tool_name, tool?.status, tool?.enabled], ["log", "approved", true]);

      const { ask } = await import("#test/kit/http.ts");
      const text = await ask(app, "GET /api/v1/servers/git/tools/export?format=text");
      assert.match(text.headers.get("content-type") ?? "", /^text\/plain/);
      assert.equal(text.body.match(/^Tool: /gm).length, 1);
      assert.match(text.body, /^Status: approved$/m);
    },
  ),
);
