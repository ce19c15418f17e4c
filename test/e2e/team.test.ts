import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "#test/e2e/daemon.ts";
import { runProgram } from "#test/kit/program.ts";
import { Browser, editionFor, startIdp } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const SECRET = "sesame & more";

verifies(
  [
    "mcp.what.edition",
    "deploy.one-replica",
    "deploy.second-fails",
    "deploy.stop-first",
    "deploy.one-volume",
    "deploy.env-secrets",
    "edition.oidc",
  ],
  "the built program signs people in; a second one on its data is refused, and one that follows goes on where it ended",
  async (t) => {
    const idp = await startIdp(t);
    const server_edition = editionFor(idp.issuer, { oauth: { client_secret: "${env:OIDC_SECRET}" } });
    const env = { OIDC_SECRET: SECRET, SERVICE_CRED_KEY: Buffer.alloc(32, 9).toString("base64") };
    const first = await serve(t, { config: { server_edition }, env });
    await until("it is ready", async () => (await fetch(`${first.url}/readyz`)).status === 200);
    await idp.tell({ redirect_uris: [`${first.url}/api/v1/auth/callback`] });
    const alice = new Browser(first.url);
    await alice.signIn("alice");
    const { body: bearer } = await alice.send("POST", "/api/v1/auth/token");
    const { body: agent } = await alice.send("POST", "/api/v1/user/tokens", { name: "ci" });
    assert.match(await first.cli("team", "users"), /alice@example\.com +user +active/);
    assert.match(await first.cli("team", "overview"), /users +1, 1 signed in/);

    const second = await runProgram(t, ["serve", "--data-dir", first.dir], env);
    assert.equal(second.code, 3, second.err);
    assert.equal((await fetch(`${first.url}/healthz`)).status, 200, "the first does not notice");

    first.child.kill("SIGTERM");
    assert.equal((await first.ended).code, 0);
    const next = await serve(t, { dir: first.dir, env });
    const me = await fetch(`${next.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${bearer.token}` } });
    assert.equal(((await me.json()) as { email: string }).email, "alice@example.com");
    const servers = await fetch(`${next.url}/api/v1/servers`, { headers: { "x-api-key": agent.data.token } });
    assert.equal(servers.status, 200);
    assert.match(await next.cli("team", "disable", "alice@example.com"), /alice@example\.com: disabled/);
    assert.equal(
      (await fetch(`${next.url}/api/v1/servers`, { headers: { "x-api-key": agent.data.token } })).status,
      401,
    );
    await next.rest("PATCH /config", { tools_limit: 9 });

    // A temporary file may be gone before it is read; what becomes of it is read under its own name.
    for (const name of readdirSync(next.dir, { recursive: true, withFileTypes: true }))
      if (name.isFile() && !name.name.endsWith(".tmp"))
        assert.ok(!readFileSync(join(name.parentPath, name.name)).includes(SECRET), `${name.name} holds the secret`);
    // Its folder is the first one's, which goes before whatever was started later is ended.
    next.child.kill("SIGTERM");
    await next.ended;
  },
);
