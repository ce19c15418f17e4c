import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { registeredClients } from "#lib/modules/authorization-server/registered-clients.ts";
import { alternate } from "#test/kit/alternate.ts";
import { listenTest, type TestApp, type TestOptions } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { freePort } from "#test/kit/free-port.ts";
import { ask, call } from "#test/kit/http.ts";
import { HandClient, TestBrowser } from "#test/kit/oauth.ts";
import { browse as browsePanel, PAGE, signedIn } from "#test/kit/panel-session.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { browse, startGuarded } from "#test/kit/sign-in.ts";
import { Browser, editionFor, startIdp } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

/** Opens two listening replicas behind one address; each request goes to the other one than the request before. */
async function alternating(t: TestContext, optionsFor: (url: string) => TestOptions) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const apps = await openClusterApps(t, server!.database(), optionsFor(url));
  const listening = await Promise.all(apps.map(listenTest));
  t.after(() => Promise.all(listening.map(({ close }) => close())));
  await alternate(
    t,
    port,
    listening.map((one) => one.url),
  );
  return url;
}

test("an MCP client signs in although each request of it and of the browser comes to another replica", {
  skip,
}, async (t) => {
  const url = await alternating(t, (public_url) => ({
    config: { auth: { oauth: { enabled: true, public_url } }, update_check: { enabled: false } },
  }));
  const client = new HandClient(url);
  assert.equal((await client.register()).status, 201);
  const browser = new TestBrowser(url);

  const back = await browser.allow(client.authorizationUrl());
  const code = back.searchParams.get("code")!;
  const first = await client.redeem(code);
  const second = await client.redeem(code);

  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.notEqual(second.status, 200, "a code is redeemed once");
});

test("a code that is redeemed at two replicas at once gives one token", { skip }, async (t) => {
  const url = await alternating(t, (public_url) => ({
    config: { auth: { oauth: { enabled: true, public_url } }, update_check: { enabled: false } },
  }));
  const client = new HandClient(url);
  await client.register();
  const back = await new TestBrowser(url).allow(client.authorizationUrl());
  const code = back.searchParams.get("code")!;

  const answers = await Promise.all([1, 2, 3, 4].map(() => client.redeem(code)));

  assert.ok(answers.filter(({ status }) => status === 200).length <= 1, JSON.stringify(answers));
});

test("clients that register at two replicas at once are all known", { skip }, async (t) => {
  const [a, b] = (await openClusterApps(t, server!.database())) as [TestApp, TestApp];
  const ids = Array.from({ length: 20 }, (_, n) => `client-${n}`);

  await Promise.all(ids.map((id, n) => (n % 2 ? a : b).part(registeredClients).add(id, { client_id: id })));

  for (const id of ids) assert.deepEqual(await a.part(registeredClients).find(id), { client_id: id });
});

test("a link of one replica signs a browser in at the other, once, and its cookie is valid at both", {
  skip,
}, async (t) => {
  const [a, b] = (await openClusterApps(t, server!.database())) as [TestApp, TestApp];
  a.boot.listenAddr = "127.0.0.1:1111";
  b.boot.listenAddr = "127.0.0.1:2222";
  const { url } = await call(a, "POST /ui/code", {});
  const code = /#code=(.+)$/.exec(url)![1]!;

  const cookie = await signedIn(b, { code });

  assert.equal((await ask(a, "POST /ui/session", { as: PAGE, body: { code } })).status, 401);
  const status = async (app: TestApp) => (await browsePanel(app, "GET /api/v1/status", cookie)).status;
  await until("the cookie is valid at the other replica", async () => (await status(a)) === 200);
  assert.equal(await status(b), 200);
});

test("a person of the multi-user edition signs in although each request comes to another replica", {
  skip,
}, async (t) => {
  const idp = await startIdp(t);
  const url = await alternating(t, (public_url) => ({
    config: { server_edition: editionFor(idp.issuer, { public_url }) },
  }));
  await idp.tell({ redirect_uris: [`${url}/api/v1/auth/callback`] });
  const alice = new Browser(url);

  const page = await alice.signIn("alice");

  assert.equal(page.status, 302);
  await until("both replicas know the session", async () => {
    const answers = [await alice.go("/api/v1/auth/me"), await alice.go("/api/v1/auth/me")];
    return answers.every(({ status }) => status === 200);
  });
  const again = await alice.go(page.url);
  assert.notEqual(again.status, 302, "the state is used once");
});

test("what the identity provider issued is known at every replica, and its refresh token is used by one at a time", {
  skip,
}, async (t) => {
  const idp = await startIdp(t);
  const client = { client_id: "jag-client", client_secret: "jag-secret-of-some-length" };
  const grant_types = ["urn:ietf:params:oauth:grant-type:jwt-bearer"];
  const guarded = await startGuarded({ ...client, grant_types, response_types: [], redirect_uris: [] });
  t.after(() => guarded.kill());
  const { issuer } = await guarded.control({ idp: idp.issuer });
  const credential_encryption_key = Buffer.alloc(32, 1).toString("base64");
  const url = await alternating(t, (public_url) => ({
    connect: true,
    servers: [
      {
        name: "crm",
        url: guarded.url,
        trust_mode: "auto",
        auth_broker: { mode: "id_jag" },
        oauth: { issuer, ...client },
      },
    ],
    config: { ...guarded.config, server_edition: editionFor(idp.issuer, { public_url, credential_encryption_key }) },
  }));
  await idp.tell({ redirect_uris: [`${url}/api/v1/auth/callback`] });
  await new Browser(url).signIn("carol");
  await idp.tell({ set: { refresh: true, idTokenTtl: 1 } });
  const alice = new Browser(url);
  await alice.signIn("alice");
  await idp.tell({ set: { idTokenTtl: 600 } });
  const read = () => alice.send("POST", "/api/v1/tools/call", { tool_name: "crm:read" });
  const inventory = async () => (await alice.go("/api/v1/servers")).body.data.servers[0].tool_count;
  await until("both replicas know the tools", async () => (await inventory()) > 0 && (await inventory()) > 0);

  const answers = await Promise.all([1, 2, 3, 4].map(read));

  for (const { status, text } of answers) assert.equal(status, 200, text);
  const calls = (await guarded.control()).calls.filter(({ name }) => name === "read");
  assert.deepEqual(
    calls.map(({ account }) => account),
    Array(4).fill("alice"),
  );
  assert.deepEqual((await idp.tell({})).revoked, [], "no refresh token was used twice");
});

test("a sign-in at a server that begins at one replica is finished at the other, and both connect with its token", {
  skip,
}, async (t) => {
  const guarded = await startGuarded();
  t.after(() => guarded.kill());
  const redirect_uri = "https://proxy.example/oauth/callback";
  const apps = (await openClusterApps(t, server!.database(), {
    connect: true,
    servers: [{ name: "up", url: guarded.url, protocol: "streamable-http", oauth: { redirect_uri } }],
    config: guarded.config,
  })) as [TestApp, TestApp];
  const state = (app: TestApp) => app.upstreams.get("up")?.status();
  await until("both ask for a sign-in", () => apps.every((app) => state(app)?.authRequired === true));
  const started = await call(apps[0], "POST /api/v1/servers/{name}/login", { params: { name: "up" } });
  const back = new URL(await browse(started.auth_url));

  const { status } = await ask(apps[1], `GET ${back.pathname}${back.search}`, { as: "nobody" });

  assert.equal(status, 200);
  await until("both are connected", () => apps.every((app) => state(app)?.state === "Ready"));
  assert.equal((await ask(apps[0], `GET ${back.pathname}${back.search}`, { as: "nobody" })).status, 400);
});
