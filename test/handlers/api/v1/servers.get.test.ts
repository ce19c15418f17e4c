import assert from "node:assert/strict";
import { test } from "node:test";
import { listServers } from "#lib/core/verbs/servers/list.ts";
import { agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const servers = [
  {
    name: "git",
    command: "git-mcp",
    args: ["--api-key", "hush-hush-hush-1"],
    env: { TOKEN: "open-sesame-123", REF: "${env:REF}" },
    working_dir: "/srv",
    reconnect_on_use: true,
    isolation: { enabled_override: true, image: "alpine", extra_args: ["-v"] },
  },
  {
    name: "web",
    url: "https://user:pa55word@example.com/mcp?api_key=0123456789",
    headers: { Authorization: "Bearer abcdef0123456789", "X-Plain": "v" },
    auto_approve_tool_changes: false,
    oauth: { client_id: "me", client_secret: "s3cret-s3cret", scopes: ["read"] },
    quarantined: true,
  },
];
const tools = { "git:a": "approved", "git:b": "pending", "git:c": "changed", "web:x": "pending" } as const;

verifies(
  [
    "rest.servers.list",
    "rest.envelope.success",
    "rest.server.name",
    "rest.server.protocol",
    "rest.server.enabled",
    "rest.server.connected",
    "rest.server.quarantined",
    "rest.server.tool-count",
    "rest.server.health",
    "rest.server.command",
    "rest.server.working-dir",
    "rest.server.reconnect-on-use",
    "rest.server.auto-approve",
    "rest.server.isolation",
    "rest.server.url",
    "rest.health.level",
  ],
  "records hold definition, state and health",
  () =>
    withApp({ connect: false, servers, tools }, async (app) => {
      const data = await call(app, "GET /api/v1/servers", {});
      const [git, web] = data.servers;

      assert.ok(git && web);
      const { name, protocol, enabled, connected, quarantined, tool_count, command, working_dir, isolation } = git;
      assert.deepEqual(
        { name, protocol, enabled, connected, quarantined, tool_count, command, working_dir, isolation },
        {
          name: "git",
          protocol: "stdio",
          enabled: true,
          connected: false,
          quarantined: false,
          tool_count: 3,
          command: "git-mcp",
          working_dir: "/srv",
          isolation: { enabled_override: true, image: "alpine", extra_args: ["-v"] },
        },
      );
      assert.deepEqual(git.quarantine, { pending_count: 1, changed_count: 1, blocked_count: 0 });
      assert.deepEqual([git.reconnect_on_use, "auto_approve_tool_changes" in git], [true, false]);
      assert.deepEqual([web.protocol, web.auto_approve_tool_changes, web.quarantined], ["http", false, true]);
      assert.deepEqual(
        [web.health.level, web.health.admin_state, web.health.action],
        ["healthy", "quarantined", "approve"],
      );
      assert.deepEqual(data.stats, {
        total_servers: 2,
        connected_servers: 0,
        quarantined_servers: 1,
        total_tools: 4,
        waiting: { servers: 1, tools: 2, items: 0, total: 3 },
      });
    }),
);

verifies(
  [
    "rest.redact.surfaces",
    "rest.server.env",
    "rest.server.headers",
    "rest.server.args",
    "rest.server.oauth",
    "rest.redact.references",
  ],
  "no secret of a definition is shown, references stay, and revealing is the administrator's alone",
  async () => {
    const secrets = [
      "hush-hush-hush-1",
      "open-sesame-123",
      "pa55word",
      "0123456789",
      "abcdef0123456789",
      "s3cret-s3cret",
    ];
    await withApp({ connect: false, servers }, async (app) => {
      const shown = JSON.stringify(await call(app, "GET /api/v1/servers", {}));
      for (const secret of secrets) assert.ok(!shown.includes(secret), secret);
      assert.ok(shown.includes("${env:REF}"));
      assert.ok(shown.includes("example.com/mcp"));
    });
    await withApp({ connect: false, servers, config: { reveal_secret_headers: true } }, async (app) => {
      const shown = JSON.stringify(await call(app, "GET /api/v1/servers", {}));
      for (const secret of secrets) assert.ok(shown.includes(secret), secret);
      const toBot = JSON.stringify(listServers(app, agent(["git", "web"]).caller));
      for (const secret of secrets) assert.ok(!toBot.includes(secret), secret);
    });
  },
);

test("an agent token sees the servers of its scope", () =>
  withApp({ connect: false, servers }, async (app) => {
    assert.deepEqual(
      listServers(app, agent(["web"]).caller).map((server) => server.name),
      ["web"],
    );
  }));
