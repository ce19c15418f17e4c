import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SignJWT } from "jose";
import type { EgressFetchOptions } from "#lib/core/base/egress/egress.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";

const DOCUMENT_URL = "https://client.example/mcp.json";
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: "Hosted Client",
  redirect_uris: ["https://client.example/callback", "http://127.0.0.1/callback"],
};

/** Redirects to programs on a person's computer. */
const LOCAL = ["http://127.0.0.1/callback", "desk.app:/callback"];

/** Answers fetches of documents in place of the internet. @returns the URLs that were fetched, with their limits */
function internet(app: TestApp, answer: (url: string) => { status?: number; text: string }) {
  const fetched: (EgressFetchOptions & { url: string })[] = [];
  Object.assign(app.egress, {
    async fetch(url: string | URL, options: EgressFetchOptions) {
      fetched.push({ ...options, url: String(url) });
      return { status: 200, headers: new Headers(), url: String(url), ...answer(String(url)) };
    },
  });
  return fetched;
}

function hosted(url: string, redirectUri = "https://client.example/callback"): HandClient {
  const client = new HandClient(url, redirectUri);
  client.clientId = DOCUMENT_URL;
  return client;
}

test("a client with a metadata document is proven by its host, and signs in without registration", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  const fetched = internet(app, () => ({ text: JSON.stringify(DOCUMENT) }));
  const client = hosted(url);
  const browser = new TestBrowser(url);
  await browser.signIn();
  const uid = await browser.open(client.authorizationUrl());

  const { body } = await browser.request(uid);

  assert.deepEqual(body.data.client, { id: DOCUMENT_URL, name: "Hosted Client", host: "client.example" });
  assert.deepEqual([body.data.is_proven, body.data.returns_to, body.data.is_local], [true, "client.example", false]);
  const back = await browser.answer(uid, { allow: true });
  assert.equal(back.origin, "https://client.example");
  const redeemed = await client.redeem(back.searchParams.get("code")!);
  assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
  const [token] = (await call(app, "GET /api/v1/tokens", {})).tokens;
  assert.deepEqual(token?.client, { id: DOCUMENT_URL, name: "Hosted Client", host: "client.example" });
  assert.deepEqual(
    fetched.map(({ url, redirects, timeoutMs, maxBytes }) => [url, redirects, timeoutMs, maxBytes]),
    [[DOCUMENT_URL, 0, 2000, 32 * 1024]],
  );
  // The client can renew its token while its host is away.
  internet(app, () => ({ status: 503, text: "" }));
  assert.equal((await client.refresh(redeemed.body.refresh_token)).status, 200);
});

test("a metadata document proves nothing if the answer goes to a program on the person's computer", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  internet(app, () => ({ text: JSON.stringify({ ...DOCUMENT, redirect_uris: LOCAL }) }));
  for (const redirect of ["http://127.0.0.1:51234/callback", "desk.app:/callback"]) {
    const client = hosted(url, redirect);
    const browser = new TestBrowser(url);
    await browser.signIn();
    const uid = await browser.open(client.authorizationUrl());

    const { body } = await browser.request(uid);

    assert.deepEqual([body.data.client.host, body.data.is_proven, body.data.is_local], ["client.example", false, true]);
    await browser.answer(uid, { allow: true });
    const [token] = (await call(app, "GET /api/v1/tokens", {})).tokens;
    assert.deepEqual(token?.client, { id: DOCUMENT_URL, name: "Hosted Client" }, "the list claims no host");
  }
});

test("a person who takes longer than the document is cached sees and allows the client as it was when it asked", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { app, url } = await serve(t, WITH_SIGN_IN);
  const later = () => t.mock.timers.setTime(Date.now() + 5 * 60_000);
  const browser = new TestBrowser(url);
  await browser.signIn();
  const names: string[] = [];
  for (const client_name of ["First Name", "Second Name"]) {
    internet(app, () => ({ text: JSON.stringify({ ...DOCUMENT, client_name }) }));
    const client = hosted(url);
    const uid = await browser.open(client.authorizationUrl());
    const fetched = internet(app, () => ({ text: JSON.stringify({ ...DOCUMENT, client_name: "Somebody Else" }) }));
    later();

    const { status, body } = await browser.request(uid);

    assert.equal(status, 200, JSON.stringify(body));
    names.push(body.data.client.name);
    assert.deepEqual(fetched, []);
    internet(app, () => ({ text: JSON.stringify({ ...DOCUMENT, client_name }) }));
    const back = await browser.answer(uid, { allow: true });
    assert.equal((await client.redeem(back.searchParams.get("code")!)).status, 200);
    later();
  }

  assert.deepEqual(names, ["First Name", "Second Name"]);
  const { tokens } = await call(app, "GET /api/v1/tokens", {});
  assert.deepEqual(tokens.map(({ client }) => client?.name).sort(), names);
});

test("a client's keys are fetched as seldom as its document", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  const document = {
    ...DOCUMENT,
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri: "https://victim.example/keys",
  };
  const fetched = internet(app, (to) => (to === DOCUMENT_URL ? { text: JSON.stringify(document) } : { text: "{}" }));
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const assertion = await new SignJWT({ jti: "x" })
    .setProtectedHeader({ alg: "ES256" })
    .setIssuer(DOCUMENT_URL)
    .setSubject(DOCUMENT_URL)
    .setAudience(url)
    .setExpirationTime("1m")
    .sign(privateKey);
  const client = hosted(url);

  for (let n = 0; n < 60; n++) {
    const { status } = await client.token({
      grant_type: "refresh_token",
      refresh_token: "x",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });
    assert.ok(status === 400 || status === 401, String(status));
  }

  assert.equal(fetched.length, 30);
  assert.ok(fetched.some((one) => one.url === "https://victim.example/keys"));
});

test("a redirect to this machine may use any port, every other must be exactly as published", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  internet(app, () => ({ text: JSON.stringify(DOCUMENT) }));
  const browser = new TestBrowser(url);
  const rows = [
    ["http://127.0.0.1:51234/callback", true],
    ["http://127.0.0.1:51234/other", false],
    ["http://localhost:51234/callback", false],
    ["https://client.example:444/callback", false],
    ["https://client.example/callback?next=evil", false],
  ] as const;
  for (const [redirect, isAccepted] of rows) {
    const response = await browser.send(hosted(url, redirect).authorizationUrl());

    assert.equal(response.status, isAccepted ? 303 : 400, redirect);
  }
});

const BROKEN: readonly (readonly [what: string, answer: () => { status?: number; text: string }])[] = [
  [
    "too slow, too large or inside",
    () => {
      throw new Fault("fetch_failed", { url: DOCUMENT_URL, reason: "too large" });
    },
  ],
  ["missing", () => ({ status: 404, text: "{}" })],
  ["no JSON", () => ({ text: "<html>" })],
  ["that of another client", () => ({ text: JSON.stringify({ ...DOCUMENT, client_id: "https://other.example/x" }) })],
  [
    "larger than 5 KiB",
    () => ({
      text: JSON.stringify({
        ...DOCUMENT,
        logo_uri: `https://client.example/${"x".repeat(2000)}`,
        tos_uri: `https://client.example/${"x".repeat(2000)}`,
        policy_uri: `https://client.example/${"x".repeat(2000)}`,
      }),
    }),
  ],
  [
    "with a shared secret",
    () => ({ text: JSON.stringify({ ...DOCUMENT, token_endpoint_auth_method: "client_secret_post" }) }),
  ],
  [
    "with a script as redirect",
    () => ({ text: JSON.stringify({ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }) }),
  ],
];

test("a broken metadata document ends the sign-in before a person sees it", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  for (const [what, answer] of BROKEN) {
    internet(app, answer);

    const response = await new TestBrowser(url).send(hosted(url).authorizationUrl());

    const { error } = (await response.json()) as { error: string };
    assert.deepEqual([response.status, error.startsWith("invalid_")], [400, true], what);
  }
});

test("a configured client proves itself by its secret", async (t) => {
  const clients = [
    {
      client_id: "desk",
      client_name: "Desk",
      client_secret: "a long secret",
      redirect_uris: ["https://desk.example/cb"],
    },
  ];
  const { url } = await serve(t, {
    ...WITH_SIGN_IN,
    config: { auth: { oauth: { enabled: true, clients, dynamic_registration: false } } },
  });
  const client = new HandClient(url, "https://desk.example/cb");
  client.clientId = "desk";
  const back = await new TestBrowser(url).allow(client.authorizationUrl());
  const code = back.searchParams.get("code")!;
  const redeem = async (secret: string) =>
    (
      await fetch(`${url}/oauth/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`desk:${encodeURIComponent(secret)}`).toString("base64")}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: client.redirectUri,
          code_verifier: client.verifier,
        }),
      })
    ).status;

  assert.equal((await client.redeem(code)).status, 401, "without the secret");
  assert.equal(await redeem("another secret"), 401);
  assert.equal(await redeem("a long secret"), 200);
  assert.equal((await client.register()).status, 404, "registration is off");
});

test("a secret that is missing, or keys that cannot be read, stop a sign-in only as long as they do", async (t) => {
  const redirect_uris = ["https://desk.example/cb"];
  const clients = [
    { client_id: "desk", client_secret: "${keyring:desk}", redirect_uris },
    { client_id: "page", redirect_uris },
  ];
  const config = { ...WITH_SIGN_IN.config, auth: { oauth: { enabled: true, clients } } };
  const app = await testApp({ ...WITH_SIGN_IN, config });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });
  const opened = async (clientId: string) => {
    const client = new HandClient(url, "https://desk.example/cb");
    client.clientId = clientId;
    return (await new TestBrowser(url).send(client.authorizationUrl())).status;
  };

  const locked = t.mock.method(app.secrets.sealingKeys, "forSealing", () => Promise.reject(new Error("locked")));
  assert.equal(await opened("page"), 500);
  locked.mock.restore();
  assert.equal(await opened("page"), 303);
  assert.equal(await opened("desk"), 400);

  await call(app, "POST /api/v1/secrets", { body: { name: "desk", value: "a long secret" } });
  assert.equal(await opened("desk"), 303);
});

test("a configured client's secret is not stored, and a client that is configured no more ends", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-oauth-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const clients = [
    { client_id: "desk", client_secret: "a long secret", redirect_uris: ["https://desk.example/cb"] },
    { client_id: "page", redirect_uris: ["https://desk.example/cb"] },
  ];
  const started = async (port: string, configured: object[]) => {
    const auth = { oauth: { enabled: true, clients: configured } };
    const config = { ...WITH_SIGN_IN.config, listen: `127.0.0.1:${port}`, auth };
    const app = await testApp({ ...WITH_SIGN_IN, config, dir });
    const { url, close } = await listenTest(app);
    let isOpen = true;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      await close();
      await app.close();
    };
    t.after(end);
    return { app, url, end };
  };
  const first = await started("0", clients);
  const tokens = [];
  const hands = [];
  for (const { client_id, client_secret } of clients) {
    const client = new HandClient(first.url, "https://desk.example/cb");
    client.clientId = client_id;
    const back = await new TestBrowser(first.url).allow(client.authorizationUrl());
    const authorization = `Basic ${Buffer.from(`desk:${encodeURIComponent("a long secret")}`).toString("base64")}`;
    const redeemed = await client.redeem(
      back.searchParams.get("code")!,
      {},
      client_secret === undefined ? {} : { authorization },
    );
    assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
    hands.push(client);
    tokens.push(redeemed.body);
  }
  assert.doesNotMatch(JSON.stringify(first.app.store.tokens.all()), /a long secret/);
  await first.end();

  const second = await started(new URL(first.url).port, []);

  for (const [i, client] of hands.entries()) {
    const opened = await new TestBrowser(second.url).send(client.authorizationUrl());
    assert.deepEqual(
      [opened.status, ((await opened.json()) as { error: string }).error],
      [400, "invalid_client"],
      client.clientId,
    );
    const renewed = await client.refresh(tokens[i].refresh_token);
    assert.deepEqual([renewed.status, renewed.body.error], [401, "invalid_client"], client.clientId);
  }
});

test("a client's secret cannot be guessed by trying", async (t) => {
  const clients = [{ client_id: "desk", client_secret: "a long secret", redirect_uris: ["https://desk.example/cb"] }];
  const { url } = await serve(t, { ...WITH_SIGN_IN, config: { auth: { oauth: { enabled: true, clients } } } });
  const guess = async (client_secret: string, path = "token") => {
    const authorization = `Basic ${Buffer.from(`desk:${encodeURIComponent(client_secret)}`).toString("base64")}`;
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", token: "x" });
    return (await fetch(`${url}/oauth/${path}`, { method: "POST", headers: { authorization }, body })).status;
  };
  const before = await guess("a long secret");

  const statuses = await Promise.all(Array.from({ length: 120 }, (_, i) => guess(`guess ${i}`)));

  assert.equal(before, 400, "the secret is valid, the refresh token is not");
  assert.equal(statuses.filter((status) => status === 401).length, 100);
  assert.equal(statuses.filter((status) => status === 429).length, 20);
  assert.equal(await guess("a long secret"), 429, "a right guess is not told apart");
  assert.equal(await guess("a long secret", "revoke"), 429, "nor at another endpoint");
});

test("clients stay signed in when the proxy is started again", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-oauth-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const started = async (port: string) => {
    const app = await testApp({
      ...WITH_SIGN_IN,
      config: { ...WITH_SIGN_IN.config, listen: `127.0.0.1:${port}` },
      dir,
    });
    const { url, close } = await listenTest(app);
    return {
      url,
      async end() {
        await close();
        await app.close();
      },
    };
  };
  const first = await started("0");
  const client = new HandClient(first.url);
  await client.register();
  const back = await new TestBrowser(first.url).allow(client.authorizationUrl());
  const { body } = await client.redeem(back.searchParams.get("code")!);
  await first.end();

  const second = await started(new URL(first.url).port);

  try {
    assert.equal((await client.initialize(body.access_token)).status, 200);
    const renewed = await client.refresh(body.refresh_token);
    assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
    const again = await client.refresh(renewed.body.refresh_token);
    assert.equal(again.status, 200, JSON.stringify(again.body));
    assert.equal((await client.refresh(body.refresh_token)).status, 400, "used before");
    assert.equal((await client.initialize(again.body.access_token)).status, 401, "its family is revoked");
  } finally {
    await second.end();
  }
});

test("without auth.oauth.enabled nothing of it is there", async (t) => {
  const { url } = await serve(t, { connect: false, config: { require_mcp_auth: true } });
  const client = new HandClient(url);
  const refused = await fetch(`${url}/mcp`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });

  assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="proxy"');
  assert.equal((await client.register()).status, 404);
  for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"])
    assert.equal((await fetch(url + path)).status, 404, path);
});
