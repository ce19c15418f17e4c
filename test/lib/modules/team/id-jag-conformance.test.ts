import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { writeIdentity } from "#lib/modules/team/identity-record.ts";
import { assertPassed, clientChecks, suiteProgram } from "#test/e2e/suite.ts";
import { send } from "#test/kit/access.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { editionFor, person, sessionOf } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

/** The official suite's scenario of Enterprise-Managed Authorization; the proxy is the client, for one of its users. */

/** What the suite gives its client. */
interface Scenario {
  readonly server: string;
  readonly context: Record<
    "client_id" | "client_secret" | "idp_client_id" | "idp_id_token" | "idp_issuer" | "idp_token_endpoint",
    string
  >;
}

test("the proxy gets a user's token as the official scenario enterprise-managed-authorization asks", async (t) => {
  const relay = createServer((req, res) => {
    const work = async () => {
      let text = "";
      for await (const part of req) text += part;
      await useServer(JSON.parse(text));
    };
    work().then(
      () => res.end(),
      (error) => res.writeHead(500).end(String(error?.stack)),
    );
  });
  await new Promise<void>((done) => relay.listen(0, "127.0.0.1", done));
  t.after(() => relay.close());
  const { port } = relay.address() as AddressInfo;
  const client = `${process.execPath} test/programs/conformance-relay.mjs http://127.0.0.1:${port}`;
  const suite = await suiteProgram(t, "conformance-2026");

  const checks = await clientChecks(t, suite, [
    "--command",
    client,
    "--scenario",
    "auth/enterprise-managed-authorization",
  ]);

  assertPassed(checks);
  for (const id of ["complete-flow-token-exchange", "complete-flow-jwt-bearer"])
    assert.ok(
      checks.some((check) => check.id === id && check.status === "SUCCESS"),
      id,
    );
});

/** Lets a signed-in user of a proxy call every tool of the suite's server. */
async function useServer({ server: url, context }: Scenario): Promise<void> {
  const { client_id, client_secret, idp_client_id, idp_issuer, idp_id_token } = context;
  const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url));
  const { authorization_servers } = (await metadata.json()) as { authorization_servers: string[] };
  const oauth = { issuer: authorization_servers[0]!, client_id, client_secret };
  const app = await testApp({
    servers: [{ name: "suite", url, trust_mode: "auto", auth_broker: { mode: "id_jag" }, oauth }],
    config: {
      outbound_allow: ["localhost", "127.0.0.1"],
      server_edition: editionFor(idp_issuer, {
        admin_emails: ["demo-user@example.com"],
        credential_encryption_key: Buffer.alloc(32, 3).toString("base64"),
        oauth: { client_id: idp_client_id },
      }),
    },
  });
  const listening = await listenTest(app);
  try {
    const user = await person(app, { email: "demo-user@example.com", subject: "demo-user@example.com", admin: true });
    // The suite hands over the ID token; its identity provider has no page to sign in on.
    const expiresAt = app.clock.now() + 3_600_000;
    await writeIdentity(app, user.id, { session: "s", idToken: idp_id_token, expiresAt });
    await app.upstreams.get("suite")!.restart("the user signed in");
    await until("its tools are listed", () => app.catalog.of("suite").length > 0);
    const as = { name: "", headers: await sessionOf(app, user), listener: "tcp" as const };
    for (const { name } of app.catalog.of("suite")) {
      const { status, text } = await send(app, as, "POST /api/v1/tools/call", { tool_name: `suite:${name}` });
      assert.equal(status, 200, text);
    }
  } finally {
    await listening.close();
    await app.close();
  }
}
