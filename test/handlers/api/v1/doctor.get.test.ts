import assert from "node:assert/strict";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const SECRET = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponm";
const tools = { "git:log": "pending", "mail:send": "pending" } as const;
const servers = [
  { name: "git", command: "x", quarantined: true, env: { TOKEN: SECRET } },
  { name: "mail", command: "x", quarantined: true, env: { KEY: "${keyring:mail}" } },
];

verifies(["rest.doctor.get"], "the doctor counts what is beyond a remark", () =>
  withApp({ connect: false, servers, tools, config: { trusted_hosts: ["*"], my_key: 1 } }, async (app) => {
    const { healthy, total_issues, findings, checked_at } = await call(app, "GET /api/v1/doctor", {});

    const issues = findings.filter(({ severity }) => severity !== "info");
    assert.deepEqual([healthy, total_issues], [false, issues.length]);
    assert.deepEqual(
      issues.map(({ code, server }) => [code, server].filter(Boolean).join(" ")).filter((line) => !/disk/.test(line)),
      ["secret_missing mail", "hosts_unchecked", "server_quarantined git", "server_quarantined mail"],
    );
    assert.ok(Math.abs(Date.parse(checked_at) - Date.now()) < 60_000);
  }),
);

verifies(["rest.auth.token-reads"], "an agent hears of its own servers only, and of no path", () =>
  withApp({ connect: false, servers, tools, config: { trusted_hosts: ["*"] } }, async (app) => {
    const { token } = await call(app, "POST /api/v1/tokens", { body: { name: "bot", allowed_servers: ["git"] } });
    const as = { "x-api-key": token };

    const doctor = await call(app, "GET /api/v1/doctor", { as });
    const diagnostics = await call(app, "GET /api/v1/diagnostics", { as });

    assert.deepEqual([...new Set(doctor.findings.map(({ server }) => server))], ["git"]);
    assert.deepEqual(diagnostics.missing_secrets, []);
    const text = JSON.stringify([doctor, diagnostics]);
    assert.ok(!text.includes("mail") && !text.includes(app.dir), text);
  }),
);

verifies(["mcp.auth.edition"], "an explicit false that the server edition overrides is a finding", () => {
  const oauth = { issuer_url: "https://id.example", client_id: "a", client_secret: "b" };
  const config = { require_mcp_auth: false, server_edition: { enabled: true, oauth } };
  return withApp({ connect: false, config }, async (app) => {
    assert.equal(app.config.current().require_mcp_auth, true);
    const { findings } = await call(app, "GET /api/v1/doctor", {});
    assert.ok(findings.some(({ code }) => code === "mcp_auth_forced"));
  });
});
