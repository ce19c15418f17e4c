import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listenTest, TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { PAGE } from "#test/kit/panel-session.ts";

/** What attackers try at the sign-in of clients. Each attempt is refused, and recorded. */
let app: TestApp;
let url: string;
let close: () => Promise<void>;
let client: HandClient;
let thief: HandClient;
let browser: TestBrowser;

before(async () => {
  app = await testApp(WITH_SIGN_IN);
  ({ url, close } = await listenTest(app));
  client = new HandClient(url);
  thief = new HandClient(url);
  for (const one of [client, thief]) assert.equal((await one.register()).status, 201);
  browser = new TestBrowser(url);
  await browser.signIn();
});
after(async () => {
  await close();
  await app.close();
});

/** Signs the client in and returns its code. */
const newCode = async () => {
  const back = await browser.answer(await browser.open(client.authorizationUrl()), { allow: true });
  return back.searchParams.get("code") ?? assert.fail(back.href);
};

/** Returns the error that the authorization endpoint answers: in the redirect to the client, or as its own response. */
const refusedAt = async (target: string): Promise<string> => {
  const response = await new TestBrowser(url).send(target);
  const to = response.headers.get("location");
  if (to === null) return `${response.status} ${((await response.json()) as { error: string }).error}`;
  const back = new URL(to, url);
  const said = new URLSearchParams(back.search || back.hash.slice(1));
  assert.equal(said.get("iss"), url);
  return `to the client: ${said.get("error")}`;
};

const AT_AUTHORIZE: readonly (readonly [
  attempt: string,
  changes: Record<string, string | undefined>,
  error: string,
])[] = [
  [
    "a request without PKCE",
    { code_challenge: undefined, code_challenge_method: undefined },
    "to the client: invalid_request",
  ],
  ["PKCE downgraded to plain", { code_challenge_method: "plain" }, "to the client: invalid_request"],
  ["a token in the redirect", { response_type: "token" }, "to the client: unsupported_response_type"],
  [
    "an answer by a form, whose page would need a script",
    { response_mode: "form_post" },
    "to the client: unsupported_response_mode",
  ],
  ["another service as the audience", { resource: "https://other.example/mcp" }, "to the client: invalid_target"],
  [
    "another port of this machine as the audience",
    { resource: "http://127.0.0.1:9/mcp" },
    "to the client: invalid_target",
  ],
  ["a path that is no MCP endpoint", { resource: "http://127.0.0.1/api/v1/config" }, "to the client: invalid_target"],
  ["a redirect to another host", { redirect_uri: "https://evil.example/callback" }, "400 invalid_redirect_uri"],
  ["a redirect to another path", { redirect_uri: "http://127.0.0.1:33418/other" }, "400 invalid_redirect_uri"],
  [
    "a redirect that only begins like the registered one",
    { redirect_uri: "http://127.0.0.1:33418/callback.evil.example" },
    "400 invalid_redirect_uri",
  ],
  ["a sign-in without a page", { prompt: "none" }, "to the client: login_required"],
  ["an unknown client", { client_id: "nobody" }, "400 invalid_client"],
  ["a metadata document on this machine", { client_id: "https://127.0.0.1/client.json" }, "400 invalid_client"],
  ["a metadata document in a private network", { client_id: "https://10.0.0.1/client.json" }, "400 invalid_client"],
  ["a metadata document at the cloud's address", { client_id: "https://169.254.169.254/latest" }, "400 invalid_client"],
  ["a metadata document without TLS", { client_id: "http://example.com/client.json" }, "400 invalid_client"],
];

test("a request that breaks a rule never reaches the person", async (t) => {
  for (const [attempt, changes, error] of AT_AUTHORIZE)
    await t.test(attempt, async () => {
      const target = client.authorizationUrl(
        "resource" in changes
          ? { ...changes, resource: changes.resource?.replace("127.0.0.1/", new URL(url).host.concat("/")) }
          : changes,
      );

      assert.equal(await refusedAt(target), error);
    });
});

const AT_TOKEN: readonly (readonly [
  attempt: string,
  run: () => Promise<{ status: number; body: { error: string } }>,
  error: string,
])[] = [
  [
    "a code that another client stole",
    async () => thief.redeem(await newCode(), { code_verifier: client.verifier }),
    "invalid_grant",
  ],
  [
    "a code without its verifier",
    async () => client.redeem(await newCode(), { code_verifier: thief.verifier }),
    "invalid_grant",
  ],
  [
    "a code with another redirect",
    async () => client.redeem(await newCode(), { redirect_uri: "http://127.0.0.1:1/callback" }),
    "invalid_grant",
  ],
  [
    "a code for another audience",
    async () => client.redeem(await newCode(), { resource: "https://other.example/mcp" }),
    "invalid_target",
  ],
  ["an invented code", async () => client.redeem("invented"), "invalid_grant"],
  [
    "a refresh token that another client stole",
    async () => thief.refresh((await client.redeem(await newCode())).body.refresh_token),
    "invalid_grant",
  ],
  [
    "an access token as refresh token",
    async () => client.refresh((await client.redeem(await newCode())).body.access_token),
    "invalid_grant",
  ],
  [
    "the password grant",
    async () => client.token({ grant_type: "password", username: "admin", password: TEST_KEY }),
    "unsupported_grant_type",
  ],
  ["the client's own grant", async () => client.token({ grant_type: "client_credentials" }), "unsupported_grant_type"],
];

test("a code or a refresh token is worth nothing without what belongs to it", async (t) => {
  for (const [attempt, run, error] of AT_TOKEN)
    await t.test(attempt, async () => {
      const { status, body } = await run();

      assert.deepEqual([status, body.error], [400, error]);
    });
});

test("a code that is redeemed twice ends the access that it gave", async () => {
  const code = await newCode();
  const { body } = await client.redeem(code);
  assert.equal((await client.initialize(body.access_token)).status, 200);

  const again = await client.redeem(code);

  assert.deepEqual([again.status, again.body.error], [400, "invalid_grant"]);
  assert.equal((await client.initialize(body.access_token)).status, 401);
});

test("only the person's own browser can answer, on a page of the panel", async () => {
  const uid = await browser.open(client.authorizationUrl());
  const path = `/ui/consent/${uid}/answer`;
  const other = new TestBrowser(url);
  await other.signIn();
  const post = (by: TestBrowser, headers: Record<string, string>) =>
    by.send(path, { method: "POST", headers, body: { allow: true } }).then(({ status }) => status);

  assert.equal(await post(other, PAGE), 404, "another browser, though signed in");
  assert.equal(await post(browser, {}), 401, "no page of the panel");
  assert.equal(await post(browser, { ...PAGE, "sec-fetch-site": "cross-site" }), 401, "a page of another site");
  assert.equal(await post(new TestBrowser(url), { ...PAGE, "x-api-key": TEST_KEY }), 403, "a program with the key");
  assert.equal((await browser.request(uid)).status, 200, "the request still waits");
  assert.equal(await post(browser, PAGE), 200);
  assert.equal(await post(browser, PAGE), 404, "a second answer");
});

test("of two answers at the same moment, one is accepted; one that fails can be given again", async () => {
  const uid = await browser.open(client.authorizationUrl());
  const answer = (body: object) =>
    browser.send(`/ui/consent/${uid}/answer`, { method: "POST", headers: PAGE, body }).then(({ status }) => status);
  const before = app.store.tokens.all().length;
  assert.equal(await answer({ allow: true, servers: ["nowhere"] }), 400);

  const statuses = await Promise.all([answer({ allow: true }), answer({ allow: true }), answer({ allow: false })]);

  assert.deepEqual(statuses.sort(), [200, 404, 404]);
  assert.ok(app.store.tokens.all().length <= before + 1);
});

test("no page can show the consent page in a frame", async () => {
  const page = await browser.send(`/ui/consent/${await browser.open(client.authorizationUrl())}`);

  assert.equal(page.headers.get("x-frame-options"), "DENY");
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
});

test("a person who denies gives the client nothing", async () => {
  const back = await browser.answer(await browser.open(client.authorizationUrl()), { allow: false });

  assert.equal(back.searchParams.get("error"), "access_denied");
  assert.equal(back.searchParams.get("code"), null);
});

test("a client gets no permission that it did not ask for, and no server that does not exist", async () => {
  const open = () => browser.open(client.authorizationUrl({ scope: "mcp:read" }));
  const back = await browser.answer(await open(), { allow: true, permissions: ["read", "write", "destructive"] });
  const { body } = await client.redeem(back.searchParams.get("code")!);

  assert.equal(body.scope, "mcp:read");
  await assert.rejects(browser.answer(await open(), { allow: true, servers: ["nowhere"] }), /unknown server/);
});

test("every refusal is recorded", async () => {
  const page = await app.store.activity.select({ type: ["policy_decision"] }, { limit: 100 });
  const reasons = new Set(page.records.map(({ metadata }) => metadata?.reason));

  for (const reason of ["invalid_request", "invalid_target", "invalid_redirect_uri", "invalid_grant", "denied"])
    assert.ok(reasons.has(reason), `${reason} is missing in ${[...reasons]}`);
});

const REDIRECTS: readonly (readonly [what: string, uris: unknown])[] = [
  ["none", []],
  ["a script", ["javascript:alert(1)"]],
  ["a file", ["file:///etc/passwd"]],
  ["a document in the address", ["data:text/html,x"]],
  ["another machine without TLS", ["http://evil.example/callback"]],
  ["a user name", ["https://user@evil.example/callback"]],
  ["a fragment", ["https://evil.example/callback#x"]],
  ["too many", Array.from({ length: 21 }, (_, i) => `https://evil.example/${i}`)],
];

test("a client cannot register a redirect that would hurt a person", async () => {
  for (const [what, redirect_uris] of REDIRECTS) {
    const response = await new HandClient(url).register({ redirect_uris });

    assert.equal(response.status, 400, what);
    assert.equal(((await response.json()) as { error: string }).error, "invalid_redirect_uri", what);
  }
});

test("a client cannot register more than a client needs", async () => {
  const redirect_uris = Array.from({ length: 20 }, (_, i) => `https://evil.example/${i}/${"x".repeat(300)}`);

  const response = await new HandClient(url).register({ redirect_uris });

  assert.deepEqual(
    [response.status, ((await response.json()) as { error: string }).error],
    [400, "invalid_client_metadata"],
  );
});

test("the cookies of a sign-in are out of reach of scripts and of other paths, and bound to TLS where that is published", async (t) => {
  const published = await testApp({
    ...WITH_SIGN_IN,
    config: { ...WITH_SIGN_IN.config, auth: { oauth: { enabled: true, public_url: "https://proxy.example.com" } } },
  });
  const listening = await listenTest(published);
  t.after(async () => {
    await listening.close();
    await published.close();
  });
  for (const [base, isSecure] of [
    [url, false],
    [listening.url, true],
  ] as const) {
    const one = new HandClient(base);
    await one.register();
    const target = one.authorizationUrl(isSecure ? { resource: "https://proxy.example.com/mcp" } : {});
    const response = await fetch(target, { redirect: "manual" });
    const cookies = response.headers.getSetCookie();

    assert.ok(cookies.length >= 2, `${response.status} ${await response.text()}`);
    for (const cookie of cookies) {
      assert.match(cookie, /; path=\/(?:ui\/consent|oauth\/authorize)\/[\w-]+;/i);
      assert.match(cookie, /; httponly/i);
      assert.match(cookie, /; samesite=lax/i);
      assert.equal(/; secure/i.test(cookie), isSecure, cookie);
    }
  }
});

test("registrations are limited", async () => {
  const statuses = new Set<number>();
  for (let n = 0; n < 30; n++) statuses.add((await new HandClient(url).register()).status);

  assert.deepEqual([...statuses], [201, 429]);
});

test("a person in front of a browser reads why a client cannot sign in, and what helps; programs get JSON", async () => {
  const rows: [what: string, target: string, text: RegExp][] = [
    [
      "an unknown client",
      client.authorizationUrl({ client_id: "<b>nobody" }),
      /does not know this client.*add it again/s,
    ],
    [
      "a client without a document",
      client.authorizationUrl({ client_id: "https://127.0.0.1/client.json" }),
      /could not use the document.*proxy activity list/s,
    ],
    [
      "a redirect to another host",
      client.authorizationUrl({ redirect_uri: "https://evil.example/callback" }),
      /did not register/,
    ],
    [
      "an answered sign-in",
      `${url}/oauth/authorize/gone`,
      /has expired or was answered.*start it again in the client/s,
    ],
  ];
  for (const [what, target, text] of rows) {
    const shown = await fetch(target, { redirect: "manual", headers: { accept: "text/html,*/*;q=0.8" } });
    const page = await shown.text();
    assert.deepEqual([shown.status, shown.headers.get("content-type")], [400, "text/html; charset=utf-8"], what);
    assert.match(page, text, what);
    assert.doesNotMatch(page, /<b>|evil\.example/, what);

    const program = await fetch(target, { redirect: "manual" });
    assert.match(program.headers.get("content-type") ?? "", /^application\/json/, what);
  }
});
