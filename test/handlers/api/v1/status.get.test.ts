import assert from "node:assert/strict";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  [
    "rest.status.get",
    "rest.envelope.status-bare",
    "rest.status.status",
    "rest.status.version",
    "rest.status.uptime",
    "rest.status.servers",
    "rest.status.tools",
    "rest.status.upstream-stats",
    "rest.redact.reveal-never",
  ],
  "the status is a bare object and an envelope in one",
  () =>
    withApp(
      {
        connect: false,
        config: { reveal_secret_headers: true },
        servers: [
          { name: "git", command: "git-mcp", env: { TOKEN: "abcdefgh12345" } },
          { name: "new", command: "new-mcp", quarantined: true },
        ],
        tools: { "git:log": "approved", "git:diff": "pending" },
      },
      async (app) => {
        const { status, body } = await ask(app, "GET /api/v1/status");

        assert.equal(status, 200);
        const { success, data, ...bare } = body;
        assert.equal(success, true);
        assert.deepEqual(bare, data);
        assert.equal(bare.status, "running");
        assert.equal(bare.version, "0.0.0-test");
        assert.ok(Number.isInteger(bare.uptime));
        assert.deepEqual(bare.servers, { total: 2, connected: 0, quarantined: 1 });
        assert.deepEqual(bare.tools, { total: 2 });
        assert.equal(bare.upstream_stats.servers.git.tool_count, 2);
        assert.ok(!JSON.stringify(body).includes("abcdefgh12345"));
      },
    ),
);
