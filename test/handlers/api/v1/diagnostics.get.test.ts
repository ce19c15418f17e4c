import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const SECRET = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponm";
const servers = [
  { name: "git", command: "x", quarantined: true, env: { TOKEN: SECRET } },
  { name: "mail", command: "x", quarantined: true, env: { KEY: "${keyring:mail}" } },
];

verifies(["rest.diagnostics.get"], "diagnostics tell program, servers and failures, and no secret", () =>
  withApp({ connect: false, servers, config: { top_k: 5, reveal_secret_headers: true } }, async (app) => {
    await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "mail:send", arguments: {} } });

    app.log.warn(`something with token=${SECRET} went wrong`);

    const diagnose = () => call(app, "GET /api/v1/diagnostics", {});
    await until("the line is in the log", async () =>
      / WARN something with .* went wrong$/.test((await diagnose()).log.at(-1) ?? ""),
    );

    const found = await diagnose();

    assert.equal(found.program.version, "0.0.0-test");
    assert.equal(found.program.config_path, app.config.path);
    assert.deepEqual(found.missing_secrets, [{ secret_name: "${keyring:mail}", used_by: ["mail"] }]);
    assert.deepEqual(
      found.deprecated_configs.map(({ field }) => field),
      ["top_k"],
    );
    assert.equal(found.upstreams.total_servers, 2);
    assert.equal(found.total_issues, found.findings.filter(({ severity }) => severity !== "info").length);
    assert.ok(!JSON.stringify(found).includes(SECRET));
  }),
);

test("a failing server is named with its error and since when", () =>
  withApp({ servers: [{ name: "broken", command: "/does/not/exist" }] }, async (app) => {
    await app.upstreams
      .get("broken")
      ?.ensureReady(5000)
      .catch(() => undefined);

    const { upstream_errors, findings } = await call(app, "GET /api/v1/diagnostics", {});

    assert.equal(upstream_errors[0]?.server_name, "broken");
    assert.match(upstream_errors[0]?.error_message ?? "", /ENOENT|does\/not\/exist/);
    assert.ok(Math.abs(Date.parse(upstream_errors[0]?.timestamp ?? "") - Date.now()) < 60_000);
    const failing = findings.find(({ code }) => code === "server_failing");
    assert.deepEqual([failing?.server, failing?.remedy?.command], ["broken", "proxy upstream patch broken --help"]);
  }));
