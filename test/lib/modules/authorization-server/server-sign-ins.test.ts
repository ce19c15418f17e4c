import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { sweepGrants } from "#lib/modules/authorization-server/grants.ts";
import { listenTest, TEST_KEY, type TestOptions, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { startFront } from "#test/kit/front.ts";
import { call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { PAGE } from "#test/kit/panel-session.ts";
import { asksForSignIn, browse, type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { editionFor, person, sessionOf } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

/** After the consent, a person signs in at the servers that need it, before the browser returns to the client. */

let guarded: Guarded;
before(async () => {
  guarded = await startGuarded();
});
after(() => guarded.kill());

const config = () => ({ ...WITH_SIGN_IN.config, ...guarded.config });
const servers = () => [
  { name: "guarded", url: guarded.url, trust_mode: "auto" as const },
  { name: "other", command: "x", enabled: false },
];

/** Starts a proxy whose server `guarded` has required a sign-in. */
async function asking(t: TestContext, options: TestOptions = {}) {
  const app = await testApp({ config: config(), servers: servers(), ...options });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });
  await asksForSignIn(app, "guarded");
  return { app, url };
}

/** Opens a client's request in a signed-in browser and allows it. */
async function allowed(browser: TestBrowser, client: HandClient, answer: object = {}) {
  await client.register();
  const uid = await browser.open(client.authorizationUrl());
  const body = { allow: true, ...answer };
  const response = await browser.send(`/ui/consent/${uid}/answer`, { method: "POST", headers: PAGE, body });
  const { data, error } = (await response.json()) as {
    data: { redirect_to: string; sign_ins: number };
    error?: string;
  };
  assert.equal(response.status, 200, error);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const waiting = async (): Promise<any> =>
    (await browser.send(`/ui/consent/${uid}/servers`, { headers: PAGE })).json();
  return { uid, ...data, waiting };
}

const codeFrom = async (browser: TestBrowser, redirect: string): Promise<string> => {
  const to = (await browser.send(redirect)).headers.get("location") ?? "";
  return new URL(to).searchParams.get("code") ?? assert.fail(to);
};

test("the administrator signs in at a server of the choice, and the client gets its code afterwards", async (t) => {
  const { app, url } = await asking(t);
  const browser = new TestBrowser(url);
  await browser.signIn();
  const client = new HandClient(url);
  const { redirect_to, sign_ins, waiting } = await allowed(browser, client);
  assert.equal(sign_ins, 1);
  const { data } = await waiting();
  assert.deepEqual(
    [data.client.name, data.redirect_to, data.servers.map(({ name, state }: Record<string, string>) => [name, state])],
    ["Hand Client", redirect_to, [["guarded", "needed"]]],
  );

  const started = await call(app, "POST /api/v1/servers/{name}/login", { params: { name: "guarded" } });

  assert.equal((await waiting()).data.servers[0].state, "pending");
  await fetch(await browse(started.auth_url));
  await until("the list is empty", async () => (await waiting()).data.servers.length === 0);
  const { status, body } = await client.redeem(await codeFrom(browser, redirect_to));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await waiting()).code, "client_sign_in_over", "the browser is back at the client");
});

test("a person who narrows the client to other servers, or denies it, is asked for no sign-in", async (t) => {
  const { url } = await asking(t);
  const browser = new TestBrowser(url);
  await browser.signIn();

  const narrowed = await allowed(browser, new HandClient(url), { servers: ["other"] });

  assert.equal(narrowed.sign_ins, 0);
  assert.deepEqual((await narrowed.waiting()).data.servers, []);
  const denied = await allowed(browser, new HandClient(url), { allow: false });
  assert.equal(denied.sign_ins, 0);
  assert.equal((await denied.waiting()).code, "client_sign_in_over");
});

test("a user signs in with credentials of the user's own, and sees nobody else's request", async (t) => {
  const access = { group_servers: { dev: ["guarded"] }, default_servers: [] };
  const key = Buffer.alloc(32, 5).toString("base64");
  const server_edition = editionFor("https://id.example", { access, credential_encryption_key: key });
  const { app, url } = await serve(t, {
    config: { ...config(), server_edition },
    servers: [{ ...servers()[0]!, auth_broker: { mode: "oauth_connect" } }, servers()[1]!],
  });
  const dev = await person(app, { email: "dev@example.com", groups: ["dev"] });
  const { cookie = "" } = await sessionOf(app, dev);
  const browser = new TestBrowser(url);
  browser.keep(cookie);
  const client = new HandClient(url);
  const { uid, redirect_to, sign_ins, waiting } = await allowed(browser, client);
  const path = "/api/v1/user/credentials/guarded/connect";
  assert.equal(sign_ins, 1);
  assert.deepEqual((await waiting()).data.servers, [{ name: "guarded", state: "needed", connect_path: path }]);
  const stranger = new TestBrowser(url);
  await stranger.signIn();
  const foreign = await stranger.send(`/ui/consent/${uid}/servers`, { headers: PAGE });
  assert.equal(foreign.status, 404);

  const begun = await browser.send(path, { headers: { "sec-fetch-site": "same-origin" } });
  const page = await browser.send(await browse(begun.headers.get("location")!));

  assert.equal(page.status, 200, await page.text());
  assert.deepEqual((await waiting()).data.servers, []);
  assert.equal((await client.redeem(await codeFrom(browser, redirect_to))).status, 200);
});

test("what a person allowed waits for the sign-ins at servers, and is forgotten if the browser never returns", async (t) => {
  const clock = handClock(Date.now());
  const { app, url } = await serve(t, { ...WITH_SIGN_IN, clock });
  const browser = new TestBrowser(url);
  await browser.signIn();
  await allowed(browser, new HandClient(url));
  const tokens = async () => (await call(app, "GET /api/v1/tokens", {})).tokens.length;

  await clock.advance(55 * 60_000);
  await sweepGrants(app);
  assert.equal(await tokens(), 1);

  await clock.advance(10 * 60_000);
  await sweepGrants(app);
  assert.equal(await tokens(), 0);
});

test("a sign-in that begins at a public address returns there, any other, and that of a client with a fixed address, to this machine", async (t) => {
  const published = { auth: { oauth: { enabled: true, public_url: "https://mcp.example.com" } } };
  const rows: [config: object, entry: object, returns: string | undefined][] = [
    [published, {}, "https://mcp.example.com"],
    [{ auth: {} }, {}, "https://mcp.example.com"],
    [{ auth: {} }, { oauth: { client_id: "by-hand" } }, undefined],
    [{ auth: {}, trusted_proxies: [] }, {}, undefined],
  ];
  const redirectFrom = async (base: string) => {
    const path = `${base}/api/v1/servers/guarded/login`;
    const response = await fetch(path, { method: "POST", headers: { "x-api-key": TEST_KEY } });
    const { data, error } = (await response.json()) as { data: { auth_url: string }; error?: string };
    assert.equal(response.status, 200, error);
    return new URL(data.auth_url).searchParams.get("redirect_uri");
  };
  for (const [settings, entry, returns] of rows) {
    const trusted = { trusted_hosts: ["mcp.example.com"], trusted_proxies: ["127.0.0.1"] };
    const { url } = await asking(t, {
      config: { ...config(), ...trusted, ...settings },
      servers: [{ name: "guarded", url: guarded.url, trust_mode: "auto", ...entry }],
    });

    const what = JSON.stringify([settings, entry]);
    assert.equal(await redirectFrom(await startFront(t, url)), `${returns ?? url}/oauth/callback`, what);
    assert.equal(await redirectFrom(url), `${url}/oauth/callback`, what);
  }
});
