import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SignJWT } from "jose";
import { disableUser } from "#lib/modules/team/users.ts";
import { admin } from "#test/kit/actor.ts";
import { call } from "#test/kit/http.ts";
import { type Team, team } from "#test/kit/team.ts";
import { stdioServer } from "#test/kit/upstream.ts";

/** Employees' MCP clients that the company's identity provider lets use the proxy, without a consent (ID-JAG). */

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CLIENT = { client_id: "desktop-at-proxy", client_secret: "secret-of-the-desktop-client" };

async function world(t: TestContext, id_jag: object | null = {}): Promise<Team> {
  const client = { ...CLIENT, redirect_uris: ["https://desktop.example/callback"], ...(id_jag && { id_jag }) };
  const made = await team(t, {
    servers: [stdioServer("notes")],
    config: {
      auth: { oauth: { enabled: true, clients: [client, { ...client, client_id: "other-client" }] } },
      update_check: { enabled: false },
    },
  });
  await made.idp.tell({ set: { client: CLIENT.client_id } });
  return made;
}

/** Requests an assertion about a person, as the employee's client does with the official SDK. */
async function assertion({ idp }: Team, who: string, audience: string, resource: string): Promise<string> {
  const { id_token } = await idp.tell({ sign_in: who });
  const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
    idpUrl: idp.issuer,
    audience,
    resource,
    idToken: id_token!,
    clientId: "desktop",
    clientSecret: "desktop-secret",
  });
  return jwtAuthGrant;
}

/** Sends an assertion to the token endpoint of the proxy. */
async function redeem({ url }: Team, jwt: string, form: Record<string, string> = {}) {
  const { client_id = CLIENT.client_id, ...rest } = form;
  const pair = Buffer.from(`${client_id}:${CLIENT.client_secret}`).toString("base64");
  const response = await fetch(`${url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${pair}` },
    body: new URLSearchParams({ grant_type: JWT_BEARER, assertion: jwt, ...rest }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  return { status: response.status, body: (await response.json()) as any };
}

const initialize = async ({ url }: Team, token: string): Promise<number> => {
  const clientInfo = { name: "desktop", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  await response.body?.cancel();
  return response.status;
};

test("the official SDK's client of an employee connects without a page, and its token is the employee's", async (t) => {
  const it = await world(t, { permissions: ["read", "write"] });
  await it.signedIn("alice");
  const provider = new CrossAppAccessProvider({
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    expectedIssuer: it.url,
    assertion: ({ authorizationServerUrl, resourceUrl }) =>
      assertion(it, "alice", String(authorizationServerUrl), String(resourceUrl)),
  });
  const client = new Client({ name: "desktop", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", it.url), { authProvider: provider });

  await client.connect(transport);
  t.after(() => client.close());

  assert.ok((await client.listTools()).tools.length > 0);
  const { tokens } = await call(it.app, "GET /api/v1/tokens", {});
  assert.deepEqual(
    tokens.map(({ owner, client: by, permissions }) => [owner, by?.id, permissions]),
    [["alice@example.com", CLIENT.client_id, ["read", "write"]]],
  );
});

test("a person has one agent token for a client, which revoking ends for good, until it is removed", async (t) => {
  const it = await world(t);
  await it.signedIn("alice");
  const next = async () => redeem(it, await assertion(it, "alice", it.url, `${it.url}/mcp`));
  const [first, second] = [await next(), await next()];
  assert.deepEqual([first.status, second.status], [200, 200], JSON.stringify([first.body, second.body]));
  assert.deepEqual([first.body.scope, first.body.refresh_token], ["mcp:read", undefined]);
  assert.equal(await initialize(it, first.body.access_token), 200, "an earlier token stays valid until it expires");
  const { tokens } = await call(it.app, "GET /api/v1/tokens", {});
  assert.equal(tokens.length, 1);
  const { name } = tokens[0]!;

  await call(it.app, "DELETE /api/v1/tokens/{name}", { params: { name } });

  assert.equal(await initialize(it, second.body.access_token), 401);
  const refused = await next();
  assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
  assert.match(refused.body.error_description, /was revoked/);
});

test("an assertion is accepted once, also of requests at the same time", async (t) => {
  const it = await world(t);
  await it.signedIn("alice");
  const jwt = await assertion(it, "alice", it.url, `${it.url}/mcp`);

  const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(it, jwt)));

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400], JSON.stringify(answers));
});

/** What is wrong with an assertion, and how the proxy says so. */
const ABUSES: readonly [what: string, set: object, form: Record<string, string>, error: string, text: RegExp][] = [
  ["another audience", { claims: { aud: "https://other.example" } }, {}, "invalid_grant", /another audience/],
  ["several audiences", { claims: { aud: ["$URL", "https://other.example"] } }, {}, "invalid_grant", /audience/],
  ["a foreign issuer", { claims: { iss: "https://evil.example" } }, {}, "invalid_grant", /"iss"/],
  ["expired", { claims: { exp: 1_700_000_000 } }, {}, "invalid_grant", /"exp"/],
  ["another type, such as an ID token", { header: { typ: "JWT" } }, {}, "invalid_grant", /"typ"/],
  ["no signature", { header: { alg: "none" } }, {}, "invalid_grant", /./],
  ["another client's", { client: "other-client" }, {}, "invalid_grant", /another client/],
  ["sent by another client", {}, { client_id: "other-client" }, "invalid_grant", /another client/],
  [
    "another resource",
    { claims: { resource: "https://other.example/mcp" } },
    {},
    "invalid_grant",
    /not an MCP endpoint/,
  ],
  ["another resource than asked", {}, { resource: "https://x.example/mcp" }, "invalid_target", /./],
  ["without read", { claims: { scope: "mcp:write" } }, {}, "invalid_scope", /mcp:read/],
  ["about nobody known", { claims: { sub: "nobody" } }, {}, "invalid_grant", /no account yet/],
];

test("an assertion that is wrong in any way is refused and recorded", async (t) => {
  const it = await world(t);
  await it.signedIn("alice");
  for (const [what, set, form, error, text] of ABUSES) {
    const filled = JSON.parse(JSON.stringify(set).replaceAll("$URL", it.url));
    const { header = {}, ...rest } = filled;
    const { alg, ...kept } = header;
    await it.idp.tell({ set: { claims: {}, client: CLIENT.client_id, header: kept, ...rest } });
    let jwt = await assertion(it, "alice", it.url, `${it.url}/mcp`);
    if (alg === "none")
      jwt = `${Buffer.from(JSON.stringify({ alg, typ: "oauth-id-jag+jwt" })).toString("base64url")}.${jwt.split(".")[1]}.`;

    const { status, body } = await redeem(it, jwt, form);

    assert.deepEqual([status, body.error], [400, error], `${what}: ${JSON.stringify(body)}`);
    assert.match(body.error_description, text, what);
  }
  const { activities } = await call(it.app, "GET /api/v1/activity", { query: { type: "policy_decision" } });
  const grants = activities.filter(({ metadata }) => (metadata as { step?: string }).step === "grant");
  assert.equal(grants.length, ABUSES.length);
});

test("an assertion with a foreign signature, and one about a disabled person, are refused", async (t) => {
  const it = await world(t);
  const alice = await it.signedIn("alice");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const forged = await new SignJWT({ client_id: CLIENT.client_id, resource: `${it.url}/mcp`, jti: "1" })
    .setProtectedHeader({ alg: "RS256", kid: "idp", typ: "oauth-id-jag+jwt" })
    .setIssuer(it.idp.issuer)
    .setSubject("alice")
    .setAudience(it.url)
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);

  const { status, body } = await redeem(it, forged);

  assert.deepEqual([status, body.error], [400, "invalid_grant"]);
  assert.match(body.error_description, /signature/);
  const jwt = await assertion(it, "alice", it.url, `${it.url}/mcp`);
  const issued = await redeem(it, await assertion(it, "alice", it.url, `${it.url}/mcp`));
  assert.equal(await initialize(it, issued.body.access_token), 200);
  await disableUser(it.app, (await alice.go("/api/v1/auth/me")).body.data.id, admin);
  assert.match((await redeem(it, jwt)).body.error_description, /disabled/);
  assert.equal(await initialize(it, issued.body.access_token), 401);
});

test("a client without the setting gets nothing by assertions, and no metadata promises them", async (t) => {
  const it = await world(t, null);
  await it.signedIn("alice");

  const { status, body } = await redeem(it, await assertion(it, "alice", it.url, `${it.url}/mcp`));

  assert.deepEqual([status, body.error], [400, "unsupported_grant_type"]);
  const metadata = await (await fetch(`${it.url}/.well-known/oauth-authorization-server`)).json();
  assert.ok(!(metadata as { grant_types_supported: string[] }).grant_types_supported.includes(JWT_BEARER));
});
