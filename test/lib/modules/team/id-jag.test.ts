import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { oauth } from "#lib/modules/oauth/state.ts";
import { disableUser } from "#lib/modules/team/users.ts";
import { admin } from "#test/kit/actor.ts";
import { type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { ADMIN_KEY, type Browser, type Team, team } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

/**
 * Servers that the company's identity provider lets people use (ID-JAG): nobody consents, and each person's calls carry
 * that person's own token.
 */

const KEY = Buffer.alloc(32, 7).toString("base64");
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CLIENT = { client_id: "jag-client", client_secret: "jag-secret-of-some-length" };

interface World extends Team {
  guarded: Guarded;
}

/** A proxy, its identity provider, and a server whose authorization server trusts that provider. */
async function world(t: TestContext, { set = {}, scopes }: { set?: object; scopes?: string[] } = {}): Promise<World> {
  const grant = { grant_types: [JWT_BEARER], response_types: [], redirect_uris: [] };
  const guarded = await startGuarded({ ...CLIENT, ...grant });
  t.after(() => guarded.kill());
  const { issuer } = await guarded.control();
  const entry = {
    name: "crm",
    url: guarded.url,
    trust_mode: "auto" as const,
    auth_broker: { mode: "id_jag" as const },
    oauth: { issuer, ...CLIENT },
  };
  const edition = { credential_encryption_key: KEY, ...(scopes && { oauth: { scopes } }) };
  const made = await team(t, { connect: true, servers: [entry], config: guarded.config, edition });
  await guarded.control({ idp: made.idp.issuer });
  await made.idp.tell({ set });
  return { ...made, guarded };
}

/** The same, after an administrator has signed in, with whose identity the tools are listed. */
async function listed(t: TestContext, options?: Parameters<typeof world>[1]): Promise<World> {
  const made = await world(t, options);
  await made.signedIn("carol");
  await until("its tools are listed", () => made.app.catalog.of("crm").length > 0);
  return made;
}

const read = (browser: Browser) => browser.send("POST", "/api/v1/tools/call", { tool_name: "crm:read" });
const accounts = async ({ guarded }: World) =>
  (await guarded.control()).calls.filter(({ name }) => name === "read").map(({ account }) => account);
const credential = async (browser: Browser) => (await browser.go("/api/v1/user/credentials")).body.data.credentials[0];

test("two people use one server, each with a token of their own, and nobody is asked to consent", async (t) => {
  const it = await listed(t);
  const [alice, bob] = [await it.signedIn("alice"), await it.signedIn("bob")];
  assert.equal((await credential(alice)).status, "automatic");

  const answers = [await read(alice), await read(bob), await read(alice)];

  assert.deepEqual(
    answers.map(({ status, text }) => [status, /"read"/.test(text)]),
    [
      [200, true],
      [200, true],
      [200, true],
    ],
  );
  assert.deepEqual(await accounts(it), ["alice", "bob", "alice"]);
  assert.equal((await credential(alice)).status, "connected");
  const { exchanges } = await it.idp.tell({});
  const { issuer, seen } = await it.guarded.control();
  assert.deepEqual(
    exchanges.map(({ audience, resource, client }) => [audience, resource, client]),
    Array(3).fill([issuer, it.guarded.url, "proxy"]),
    "one exchange for the list of tools and one for each person",
  );
  assert.equal(seen.filter(({ grant_type }) => grant_type === JWT_BEARER).length, 3);
  for (const file of ["proxy.db", "proxy.db-wal"]) {
    const stored = readFileSync(join(it.app.dir, file));
    for (const { subject_token } of exchanges) assert.ok(!stored.includes(subject_token!), `${file} holds an ID token`);
  }
});

test("an agent of a person calls the server as that person, over MCP", async (t) => {
  const it = await listed(t);
  const bob = await it.signedIn("bob");
  const made = await bob.send("POST", "/api/v1/user/tokens", {
    name: "agent",
    permissions: ["read", "write", "destructive"],
  });
  assert.equal(made.status, 201, made.text);
  const client = new Client({ name: "agent", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${made.body.token ?? made.body.data.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp/all", it.url), { requestInit }) as Transport);
  t.after(() => client.close());

  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "crm__read", arguments: {} });

  assert.ok(tools.some(({ name }) => name === "crm__read"));
  assert.equal(answer.isError ?? false, false, JSON.stringify(answer));
  assert.deepEqual(await accounts(it), ["bob"]);
});

test("a caller that is no person is refused, and lists the tools all the same", async (t) => {
  const it = await listed(t);

  const answer = await it.browser().go("/api/v1/tools/call", {
    method: "POST",
    headers: { ...ADMIN_KEY, "content-type": "application/json" },
    body: JSON.stringify({ tool_name: "crm:read" }),
  });

  assert.deepEqual([answer.status, answer.body.code], [403, "server_needs_user"], answer.text);
  assert.deepEqual(await accounts(it), []);
});

test("without a signed-in administrator the server says who must sign in, and connects when that happens", async (t) => {
  const it = await world(t);
  await it.signedIn("alice");
  const status = () => it.app.upstreams.get("crm")!.status();
  await until("the connection failed", () => status().lastError !== undefined);

  assert.match(status().lastError!, /as an administrator, and none is signed in; an administrator must sign in to the/);

  await it.signedIn("carol");
  await until("it is connected", () => status().state === "Ready");
});

const NOT_ACCEPTED =
  /did not accept the identity provider's assertion: it returned invalid_grant .*; check there that it trusts the identity provider/;

/** What is wrong, what the person reads, and why the authorization server rejected the assertion, if it did. */
const REFUSALS: readonly [what: string, set: object, code: string, text: RegExp, why?: RegExp][] = [
  [
    "its policy denies the person",
    { denied: ["alice"] },
    "server_access_denied",
    /the identity provider returned access_denied \(not assigned to the application\); its administrator decides who may use/,
  ],
  [
    "it does not know the authorization server",
    { error: "invalid_target" },
    "server_access_denied",
    /invalid_target .*; register the authorization server http\S+ and the resource http\S+\/mcp there, or correct oauth\.issuer of server "crm"/,
  ],
  [
    "it does not allow the proxy the exchange",
    { error: "unauthorized_client" },
    "server_access_denied",
    /allow the client proxy the token exchange for ID-JAG/,
  ],
  [
    "it asks for a newer sign-in",
    { error: "insufficient_user_authentication" },
    "proxy_sign_in_needed",
    /insufficient_user_authentication .*; sign in to the proxy again at \/ui\/account/,
  ],
  ["it has a problem of its own", { error: "temporarily_unavailable" }, "server_access_unavailable", /try again/],
  [
    "its assertion is for another audience",
    { claims: { aud: "https://other.example" } },
    "server_access_denied",
    /is for another audience \(https:\/\/other\.example\) than http\S+, the authorization server of server "crm"; correct the audience/,
  ],
  [
    "its assertion is for another client",
    { client: "somebody-else" },
    "server_access_denied",
    /is for another client \(somebody-else\) than jag-client, .* oauth\.client_id of server "crm"/,
  ],
  [
    "its assertion is for another resource",
    { claims: { resource: "https://other.example/mcp" } },
    "server_access_denied",
    NOT_ACCEPTED,
    /it is for another resource/,
  ],
  [
    "its assertion has expired",
    { claims: { exp: 1_700_000_000 } },
    "server_access_denied",
    NOT_ACCEPTED,
    /"exp" claim/,
  ],
  [
    "its assertion is of another issuer",
    { claims: { iss: "https://evil.example" } },
    "server_access_denied",
    NOT_ACCEPTED,
    /"iss" claim/,
  ],
  [
    "its assertion was used before",
    { claims: { jti: "the-same" } },
    "server_access_denied",
    NOT_ACCEPTED,
    /it was used before/,
  ],
  [
    "its assertion is a JWT of another type",
    { header: { typ: "JWT" } },
    "server_access_denied",
    NOT_ACCEPTED,
    /"typ" JWT header/,
  ],
];

test("a refusal names what refused and what to do, calls nothing, and is the state of the person's sign-in", async (t) => {
  const it = await listed(t, { set: { claims: { jti: "the-same" } } });
  const normal = { denied: [], error: "", claims: {}, header: {}, client: "jag-client" };
  for (const [what, set, code, text, why] of REFUSALS) {
    await it.idp.tell({ set: { ...normal, ...set } });
    const alice = await it.signedIn("alice");

    const answer = await read(alice);

    assert.deepEqual([answer.body.code, text.test(answer.body.error)], [code, true], `${what}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /eyJ|jag-secret|sesame/, what);
    if (why) assert.match((await it.guarded.control()).rejected.at(-1)!, why, what);
    const { status, reason } = await credential(alice);
    assert.deepEqual([status, text.test(`${reason} at /ui/account`)], ["not_connected", true], `${what}: ${reason}`);
    const server = (await alice.go("/api/v1/servers")).body.data.servers[0];
    assert.notEqual(server.health.level, "healthy", what);
    assert.match(server.health.detail, /identity provider/, what);
  }
  assert.deepEqual(await accounts(it), []);

  // A new sign-in forgets the refusal at once.
  await it.idp.tell({ set: normal });
  assert.equal((await read(await it.signedIn("alice"))).status, 200);
  assert.deepEqual(await accounts(it), ["alice"]);
});

test("an expired ID token without a refresh token asks the person to sign in to the proxy again", async (t) => {
  const it = await listed(t);
  await it.idp.tell({ set: { idTokenTtl: 1 } });
  const alice = await it.signedIn("alice");

  const answer = await read(alice);

  assert.deepEqual([answer.status, answer.body.code], [403, "proxy_sign_in_needed"]);
  assert.match(answer.text, /has expired.*sign in to the proxy again; .*offline_access .*at \/ui\/account/);
  const check = await alice.send("POST", "/api/v1/preflight", { tools: [{ id: "crm:read" }] });
  assert.match(check.text, /oauth_required/);
});

test("an expired ID token is renewed with the refresh token, once for calls at the same time", async (t) => {
  const it = await listed(t, { set: { refresh: true } });
  await it.idp.tell({ set: { idTokenTtl: 1 } });
  const alice = await it.signedIn("alice");
  await it.idp.tell({ set: { idTokenTtl: 600 } });

  const answers = await Promise.all([read(alice), read(alice), read(alice)]);

  for (const { status, text } of answers) assert.equal(status, 200, text);
  const { exchanges, revoked } = await it.idp.tell({});
  assert.match(exchanges.at(-1)!.subject_token_type!, /:id_token$/);
  // The provider would treat a second use of the refresh token as theft and end the sign-in.
  assert.deepEqual(revoked, []);
});

test("where a renewal gives no ID token, the refresh token stands for it", async (t) => {
  const it = await listed(t, { set: { refresh: true, renewsIdToken: false } });
  await it.idp.tell({ set: { idTokenTtl: 1 } });
  const alice = await it.signedIn("alice");

  assert.equal((await read(alice)).status, 200);

  const { exchanges } = await it.idp.tell({});
  assert.match(exchanges.at(-1)!.subject_token_type!, /:refresh_token$/);
});

test("a token that expires is replaced without a failed call, until the identity provider denies the person", async (t) => {
  const it = await listed(t);
  const alice = await it.signedIn("alice");
  assert.equal((await read(alice)).status, 200);

  // A token that was rejected right after it was issued is not replaced at once.
  await it.guarded.control({ ttl: 1, forget: "access" });
  await until("a revoked token is replaced", async () => (await read(alice)).status === 200);
  const issued = async () => (await it.guarded.control()).seen.length;
  const before = await issued();
  while ((await issued()) === before)
    assert.equal((await read(alice)).status, 200, "an expired one is replaced at once");
  await it.idp.tell({ set: { denied: ["alice"] } });
  await until("the identity provider is asked again", async () => (await read(alice)).status === 403);
  assert.equal((await read(alice)).body.code, "server_access_denied");
});

test("a sign-out and a disabled account leave nothing with which the proxy could act for the person", async (t) => {
  const it = await listed(t, { set: { refresh: true } });
  const kept = async (user: string) => (await it.app.store.documents.get(`identity/${user}`)) !== undefined;
  const token = async (user: string) => (await it.app.part(oauth).load("crm", user)).state;
  const ended: readonly [string, (browser: Browser, id: string) => Promise<unknown>][] = [
    ["signed out", (alice) => alice.send("POST", "/api/v1/auth/logout")],
    [
      "signed out in the panel",
      (alice) => alice.go("/ui/session", { method: "DELETE", headers: { origin: it.url, "x-proxy-panel": "1" } }),
    ],
    ["disabled", (_, id) => disableUser(it.app, id, admin)],
  ];
  let count = 0;
  for (const [what, end] of ended) {
    const alice = await it.signedIn("alice");
    const { id } = (await alice.go("/api/v1/auth/me")).body.data;
    assert.equal((await read(alice)).status, 200, what);
    assert.deepEqual([await kept(id), await token(id)], [true, "signed_in"], what);
    const { revoke = 0 } = (await it.guarded.control()).counts;

    await end(alice, id);

    assert.deepEqual([await kept(id), await token(id)], [false, "none"], what);
    count++;
    await until("the refresh token is revoked", async () => (await it.idp.tell({})).revoked.length >= count);
    await until(
      "the server's token is revoked",
      async () => ((await it.guarded.control()).counts.revoke ?? 0) > revoke,
    );
  }
});

test("what is stored about one person is of no use for another", async (t) => {
  const it = await listed(t);
  const [alice, bob] = [await it.signedIn("alice"), await it.signedIn("bob")];
  const [mine, theirs] = [await alice.go("/api/v1/auth/me"), await bob.go("/api/v1/auth/me")];
  const { documents } = it.app.store;
  await documents.set(`identity/${theirs.body.data.id}`, await documents.get(`identity/${mine.body.data.id}`));

  const answer = await read(bob);

  assert.deepEqual([answer.status, answer.body.code], [403, "proxy_sign_in_needed"], answer.text);
});

test("a sign-out in another browser keeps what the newest sign-in left", async (t) => {
  const it = await listed(t);
  const [first, second] = [await it.signedIn("alice"), await it.signedIn("alice")];

  await first.send("POST", "/api/v1/auth/logout");

  assert.equal((await read(second)).status, 200);
});

test("nothing of a sign-in is kept while no server needs it", async (t) => {
  const { app, signedIn } = await team(t, { edition: { credential_encryption_key: KEY } });
  const alice = await signedIn("alice");
  const { id } = (await alice.go("/api/v1/auth/me")).body.data;

  assert.equal(await app.store.documents.get(`identity/${id}`), undefined);
});

test("the mode needs the authorization server and the client, so that no server chooses where identities go", async (t) => {
  const { app } = await team(t, {});
  for (const oauth of [undefined, { client_id: "x" }, { issuer: "https://as.example" }])
    await assert.rejects(
      app.config.update((draft) => {
        draft.mcpServers.push({
          name: "crm",
          url: "https://crm.example/mcp",
          enabled: true,
          auth_broker: { mode: "id_jag" },
          ...(oauth && { oauth }),
        });
      }, "test"),
      /the mode id_jag needs oauth\.issuer and oauth\.client_id/,
    );
});
