import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { disableUser, enableUser } from "#lib/modules/team/users.ts";
import { admin } from "#test/kit/actor.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { goodClaims, KID, type RudeIdp, type Rudeness, signed, startRudeIdp, unsigned } from "#test/kit/rude-idp.ts";
import { putUser } from "#test/kit/store.ts";
import { Browser, editionFor, type Page } from "#test/kit/team.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Sign-ins that must come to nothing, at a provider that does what it is told. */

let idp: RudeIdp;
let app: TestApp;
let url: string;
let close: () => Promise<void>;

before(async () => {
  idp = await startRudeIdp();
  app = await testApp({ connect: false, config: { server_edition: editionFor(idp.issuer) } });
  const listening = await listenTest(app);
  url = listening.url;
  close = listening.close;
});
after(async () => {
  await close();
  await app.close();
  await idp.close();
});

/** A sign-in up to where the browser is about to come back. */
interface Begun {
  browser: Browser;
  state: string;
  /** The callback with a code, as the provider would send it. */
  back: URL;
}

async function begin(at = url): Promise<Begun> {
  const browser = new Browser(at);
  const page = await browser.go("/api/v1/auth/login");
  assert.equal(page.status, 302, page.text);
  const asked = new URL(page.headers.get("location")!);
  const state = asked.searchParams.get("state")!;
  idp.nonce = asked.searchParams.get("nonce")!;
  const back = new URL(asked.searchParams.get("redirect_uri")!);
  back.search = String(new URLSearchParams({ code: "c1", state }));
  return { browser, state, back };
}

function refused(page: Page, status: number, code: string, what = ""): void {
  assert.equal(page.status, status, `${what} ${page.text}`);
  assert.equal(page.body.code, code, what);
  assert.equal(page.body.success, false);
  const sets = page.headers.getSetCookie().filter((line) => line.includes("proxy_session"));
  assert.deepEqual(sets, [], `${what} set a session`);
  assert.ok(!page.text.includes("sesame"), what);
}

type Way = (begun: Begun) => Promise<Page> | Page;
const go =
  (change: (back: URL) => void): Way =>
  ({ browser, back }) => {
    change(back);
    return browser.go(back.href);
  };

const STATE = [400, "sign_in_state"] as const;
const DENIED = [403, "sign_in_denied"] as const;
const AWAY = [502, "sign_in_unavailable"] as const;

const COMING_BACK: [string, Way, readonly [number, string]][] = [
  ["without a state", go((back) => back.searchParams.delete("state")), STATE],
  ["with an empty state", go((back) => back.searchParams.set("state", "")), STATE],
  ["with a state nobody gave out", go((back) => back.searchParams.set("state", "x".repeat(43))), STATE],
  ["with its state twice", go((back) => back.searchParams.append("state", back.searchParams.get("state")!)), STATE],
  ["with the state of an object's own members", go((back) => back.searchParams.set("state", "constructor")), STATE],
  [
    "a second time (state replayed)",
    async ({ browser, back }) => {
      const jar = browser.jar(new URL(url));
      const kept = new Map(jar);
      assert.equal((await browser.go(back.href)).status, 302);
      for (const [name, value] of kept) jar.set(name, value);
      return browser.go(back.href);
    },
    STATE,
  ],
  [
    "a second time after a failure",
    async ({ browser, back }) => {
      const jar = browser.jar(new URL(url));
      const kept = new Map(jar);
      idp.rude = { claims: { nonce: "another" } };
      assert.equal((await browser.go(back.href)).status, 403);
      for (const [name, value] of kept) jar.set(name, value);
      idp.rude = {};
      return browser.go(back.href);
    },
    STATE,
  ],
  ["in a browser without the cookie", ({ back }) => new Browser(url).go(back.href), STATE],
  [
    "in another person's browser, which has begun a sign-in of its own",
    async ({ back }) => {
      const other = await begin();
      return other.browser.go(back.href);
    },
    STATE,
  ],
  [
    "with another sign-in's cookie under its own name",
    async ({ browser, back }) => {
      const other = await begin();
      const [value] = other.browser.jar(new URL(url)).values();
      for (const name of browser.jar(new URL(url)).keys()) browser.jar(new URL(url)).set(name, value!);
      return browser.go(back.href);
    },
    STATE,
  ],
  [
    "with the cookie there twice",
    ({ browser, back }) => {
      const [[name, value]] = [...browser.jar(new URL(url))] as [[string, string]];
      return new Browser(url).go(back.href, { headers: { cookie: `${name}=${value}; ${name}=${value}` } });
    },
    STATE,
  ],
  [
    "mixed up with another sign-in of the same browser (its code, this state)",
    async ({ browser, back }) => {
      const mine = idp.nonce;
      const second = await browser.go("/api/v1/auth/login");
      idp.nonce = new URL(second.headers.get("location")!).searchParams.get("nonce")!;
      assert.notEqual(idp.nonce, mine);
      return browser.go(back.href);
    },
    DENIED,
  ],
  ["without a code", go((back) => back.searchParams.delete("code")), DENIED],
  ["with its code twice", go((back) => back.searchParams.append("code", "c2")), DENIED],
  ["with the issuer of another provider", go((back) => back.searchParams.set("iss", "https://evil.example")), DENIED],
  [
    "with an error of the provider",
    go((back) => {
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "<b>no</b>");
    }),
    DENIED,
  ],
  [
    "with an ID token in the address",
    go((back) => back.searchParams.set("id_token", unsigned(goodClaims(idp)))),
    DENIED,
  ],
];

verifies(
  ["edition.oidc", "edition.auth-login"],
  "a browser that comes back otherwise than it left is not signed in",
  async (t) => {
    for (const [what, way, [status, code]] of COMING_BACK)
      await t.test(what, async () => {
        idp.rude = {};
        refused(await way(await begin()), status, code, what);
      });
  },
);

const seconds = () => Math.floor(Date.now() / 1000);
const send = (status: number, body: string, type = "application/json") => ({
  token: (res: import("node:http").ServerResponse) =>
    void res.writeHead(status, { "content-type": type, ...(status === 302 && { location: "/jwks" }) }).end(body),
});

const ANSWERS: [string, Rudeness, readonly [number, string]][] = [
  ["a nonce of another sign-in", { claims: { nonce: "another" } }, DENIED],
  ["no nonce", { claims: { nonce: undefined } }, DENIED],
  ["another issuer", { claims: { iss: "https://evil.example" } }, DENIED],
  ["the issuer with a slash more", { claims: { iss: "" } }, DENIED],
  ["no issuer", { claims: { iss: undefined } }, DENIED],
  ["another audience", { claims: { aud: "other" } }, DENIED],
  ["no audience", { claims: { aud: undefined } }, DENIED],
  ["several audiences and another's authorized party", { claims: { aud: ["proxy", "other"], azp: "other" } }, DENIED],
  ["several audiences without an authorized party", { claims: { aud: ["proxy", "other"] } }, DENIED],
  ["another's authorized party", { claims: { azp: "other" } }, DENIED],
  ["an end in the past", { claims: { iat: seconds() - 900, exp: seconds() - 600 } }, DENIED],
  ["no end", { claims: { exp: undefined } }, DENIED],
  ["an end that is a text", { claims: { exp: "tomorrow" } }, DENIED],
  ["a beginning in the future", { claims: { nbf: seconds() + 900 } }, DENIED],
  ["no subject", { claims: { sub: undefined } }, DENIED],
  ["a subject that is no text", { claims: { sub: 7 } }, DENIED],
  ["no signature (alg none)", { idToken: (claims) => unsigned(claims) }, DENIED],
  ["no signature under a good header", { idToken: (claims) => unsigned(claims, { alg: "RS256", kid: KID }) }, DENIED],
  [
    "a signature with the client's secret (HS256)",
    { idToken: (claims) => signed(claims, new TextEncoder().encode("sesame & more ".repeat(3)), { alg: "HS256" }) },
    DENIED,
  ],
  [
    "a stranger's signature under the known key id",
    { idToken: (claims, { stranger }) => signed(claims, stranger, { alg: "RS256", kid: KID }) },
    DENIED,
  ],
  [
    "a stranger's signature with the stranger's key in the header",
    {
      idToken: (claims, { stranger }) =>
        signed(claims, stranger, { alg: "RS256", jku: "https://evil.example/jwks", kid: "evil" }),
    },
    DENIED,
  ],
  ["an unknown key id", { header: { kid: "k2" } }, DENIED],
  [
    "claims changed after the signature",
    {
      idToken: async (claims, { key }) => {
        const [head, , signature] = (await signed(claims, key, { alg: "RS256", kid: KID })).split(".");
        const body = Buffer.from(JSON.stringify({ ...claims, email: "carol@example.com" })).toString("base64url");
        return `${head}.${body}.${signature}`;
      },
    },
    DENIED,
  ],
  ["a critical header it does not know", { header: { crit: ["b64"], b64: true } }, DENIED],
  ["no ID token", { idToken: () => undefined }, DENIED],
  ["an ID token that is none", { idToken: () => "not.a.token" }, DENIED],
  ["an ID token of many parts", { idToken: () => "a.b.c.d.e" }, DENIED],
  ["no access token", { answer: { access_token: undefined } }, DENIED],
  ["no kind of token", { answer: { token_type: undefined } }, DENIED],
  ["an error", send(400, '{"error":"invalid_grant","error_description":"the code is old"}'), DENIED],
  ["a page", send(200, "<html>", "text/html"), DENIED],
  ["broken JSON", send(200, "{"), DENIED],
  ["a defect", send(500, "oh"), DENIED],
  ["a redirect", send(302, ""), AWAY],
  ["more than anybody reads", send(200, `{"access_token":"${"x".repeat(2_000_000)}"}`), AWAY],
  [
    "the userinfo of somebody else",
    { claims: { email: undefined }, userinfo: { sub: "u2", email: "x@example.com" } },
    DENIED,
  ],
  ["no userinfo", { claims: { email: undefined }, userinfo: (res) => void res.writeHead(500).end() }, DENIED],
  ["no address", { claims: { email: undefined } }, DENIED],
  ["an address that is none", { claims: { email: "dora" } }, DENIED],
  ["several addresses in one", { claims: { email: "dora@example.com carol@example.com" } }, DENIED],
  ["an address that is a list", { claims: { email: ["carol@example.com"] } }, DENIED],
  ["an address that folds into an administrator's", { claims: { email: "\u212aarol@example.com" } }, DENIED],
  ["an address with a NUL", { claims: { email: "carol@example.com\u0000" } }, DENIED],
  ["an address that is not verified", { claims: { email: "carol@example.com", email_verified: false } }, DENIED],
  ["an address that is not verified, in words", { claims: { email_verified: "false" } }, DENIED],
  [
    "a verified address elsewhere than the address",
    { claims: { email_verified: false }, userinfo: { email: "a@b.c", email_verified: true } },
    DENIED,
  ],
];

verifies(
  ["edition.oidc", "edition.email-policy"],
  "whatever is wrong with what the provider answers, nobody is signed in by it",
  async (t) => {
    for (const [what, rude, [status, code]] of ANSWERS)
      await t.test(what, async () => {
        const { browser, back } = await begin();
        idp.rude = rude;
        if (what === "the issuer with a slash more") idp.rude = { claims: { iss: `${idp.issuer}/` } };

        refused(await browser.go(back.href), status, code, what);

        assert.ok(!app.store.users.all().some((user) => user.email === "carol@example.com"));
      });
  },
);

test("the same provider, when it is polite, signs in: nothing else was wrong above", async () => {
  const { browser, back, state } = await begin();
  idp.rude = {};
  idp.asked.length = 0;

  const page = await browser.go(back.href);

  assert.equal(page.status, 302, page.text);
  assert.equal(page.headers.get("location"), "/ui/");
  const [{ body, authorization }] = idp.asked as [(typeof idp.asked)[number]];
  assert.equal(body.get("code"), "c1");
  assert.equal(body.get("redirect_uri"), `${url}/api/v1/auth/callback`);
  assert.ok((body.get("code_verifier") ?? "").length >= 43);
  assert.ok(!body.has("client_secret") && !body.has("state"));
  assert.equal(Buffer.from(authorization!.slice("Basic ".length), "base64").toString(), "proxy:sesame+%26+more");
  assert.ok(!back.href.includes(body.get("code_verifier")!) && state.length >= 43);
  const { body: me } = await browser.go("/api/v1/auth/me");
  assert.equal(me.email, "dora@example.com");
});

test("a provider that has other keys since is asked for them: the next sign-in goes through", async () => {
  for (const rude of [{ keyId: "k9", header: { kid: "k9" } }, {}]) {
    const first = await begin();
    idp.rude = rude;
    refused(await first.browser.go(first.back.href), ...DENIED, "the keys known are not those of now");
    const second = await begin();
    idp.rude = rude;
    const page = await second.browser.go(second.back.href);
    assert.equal(page.status, 302, page.text);
  }
});

test("a sign-in that takes longer than ten minutes is over", async () => {
  const clock = handClock();
  const own = await testApp({ connect: false, clock, config: { server_edition: editionFor(idp.issuer) } });
  const listening = await listenTest(own);
  try {
    idp.rude = {};
    const { browser, back } = await begin(listening.url);
    await clock.advance(600_000);
    refused(await browser.go(back.href), 400, "sign_in_state");
  } finally {
    await listening.close();
    await own.close();
  }
});

const DISCOVERY: [string, Rudeness, RegExp][] = [
  ["calls itself something else", { metadata: { issuer: "https://evil.example" } }, /issuer/],
  [
    "calls itself with a slash more",
    { metadata: { issuer: "SLASH" } },
    /set server_edition\.oauth\.issuer_url to exactly that/,
  ],
  ["has no issuer", { metadata: { issuer: undefined } }, /issuer/],
  ["is not there", { discovery: (res) => void res.writeHead(404).end() }, /./],
  ["is a page", { discovery: (res) => void res.writeHead(200, { "content-type": "text/html" }).end("<p>") }, /./],
  ["is no JSON", { discovery: (res) => void res.writeHead(200, { "content-type": "application/json" }).end("{") }, /./],
  [
    "leads elsewhere",
    { discovery: (res) => void res.writeHead(302, { location: "https://evil.example" }).end() },
    /redirect/,
  ],
  ["has no place to sign in", { metadata: { authorization_endpoint: undefined } }, /authorization_endpoint/],
];

test("a provider whose discovery document is wrong sends nobody anywhere, and the service runs on", async (t) => {
  for (const [what, rude, why] of DISCOVERY)
    await t.test(what, async () => {
      const own = await testApp({ connect: false, config: { server_edition: editionFor(idp.issuer) } });
      const listening = await listenTest(own);
      try {
        idp.rude = rude.metadata?.issuer === "SLASH" ? { metadata: { issuer: `${idp.issuer}/` } } : rude;
        const page = await new Browser(listening.url).go("/api/v1/auth/login");
        refused(page, 502, "sign_in_unavailable", what);
        assert.match(page.body.error, why);
        assert.equal(page.headers.get("location"), null);
        idp.rude = {};
        assert.equal((await new Browser(listening.url).go("/api/v1/auth/login")).status, 302, "it is asked anew");
      } finally {
        await listening.close();
        await own.close();
      }
    });
});

const INWARD: [string, Record<string, unknown>, boolean][] = [
  ["token_endpoint", { token_endpoint: "http://169.254.169.254/latest/meta-data" }, false],
  ["token_endpoint", { token_endpoint: "https://10.0.0.1/token" }, false],
  ["jwks_uri", { jwks_uri: "https://192.168.0.1/jwks" }, false],
  ["userinfo_endpoint", { userinfo_endpoint: "https://[fd00::1]/userinfo" }, true],
];

test("a provider's document is no way into this machine's networks", async (t) => {
  for (const [what, metadata, withoutEmail] of INWARD)
    await t.test(`${what} ${Object.values(metadata)[0]}`, async () => {
      const own = await testApp({ connect: false, config: { server_edition: editionFor(idp.issuer) } });
      const listening = await listenTest(own);
      try {
        idp.rude = { metadata, ...(withoutEmail && { claims: { email: undefined } }) };
        const { browser, back } = await begin(listening.url);
        const page = await browser.go(back.href);
        assert.ok(page.status === 502 || page.status === 403, page.text);
        assert.deepEqual(own.store.users.all(), []);
      } finally {
        await listening.close();
        await own.close();
      }
    });
});

const PATHS = [
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example/",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "javascript:alert(1)",
  "evil.example",
  " /ui/",
  "/..//evil.example",
  "/./\\evil.example",
  "http:/evil.example",
];

test("a sign-in ends at a path of this service and nowhere else", async () => {
  for (const path of PATHS) {
    const page = await new Browser(url).go(`/api/v1/auth/login?redirect_uri=${encodeURIComponent(path)}`);
    refused(page, 400, "invalid_request", JSON.stringify(path));
  }
});

test("an administrator's address counts only where the provider calls it verified", async () => {
  const rows: [email_verified: boolean | undefined, role: string][] = [
    [undefined, "user"],
    [true, "admin"],
    [undefined, "user"],
  ];
  for (const [email_verified, role] of rows) {
    const { browser, back } = await begin();
    idp.rude = { claims: { sub: "c1", email: "carol@example.com", email_verified } };

    assert.equal((await browser.go(back.href)).status, 302);

    const { body } = await browser.go("/api/v1/auth/me");
    assert.deepEqual([body.email, body.role], ["carol@example.com", role]);
    assert.equal((await browser.go("/api/v1/admin/users")).status, role === "admin" ? 200 : 403);
  }
});

test("somebody whose account is disabled is told so, and signed in again once it is enabled", async () => {
  idp.rude = {};
  const first = await begin();
  assert.equal((await first.browser.go(first.back.href)).status, 302);
  const user = app.store.users.all().find(({ email }) => email === "dora@example.com")!;
  await putUser(app.store.users, { ...user, disabledAt: 1 });
  const second = await begin();

  refused(await second.browser.go(second.back.href), 403, "sign_in_denied");

  await putUser(app.store.users, user);
  const third = await begin();
  assert.equal((await third.browser.go(third.back.href)).status, 302);
});

test("an account that is disabled while its sign-in ends gets no session, also none that counts once it is enabled", async (t) => {
  idp.rude = {};
  const first = await begin();
  assert.equal((await first.browser.go(first.back.href)).status, 302);
  const { id } = app.store.users.all().find(({ email }) => email === "dora@example.com")!;
  const sessions = () => app.store.userSessions.all().filter(({ userId }) => userId === id);
  const late = await begin();
  const write = app.store.userSessions.change.bind(app.store.userSessions);
  const change = t.mock.method(app.store.userSessions, "change", async (...args: Parameters<typeof write>) => {
    change.mock.restore();
    await disableUser(app, id, admin);
    return write(...args);
  });

  refused(await late.browser.go(late.back.href), 403, "sign_in_denied");

  assert.deepEqual(sessions(), []);
  await enableUser(app, id, admin);
  assert.equal((await late.browser.go("/api/v1/auth/me")).status, 401);
});

test("a browser is told on a page, with what others said in it as text", async () => {
  const { browser, back } = await begin();
  back.searchParams.delete("code");
  back.searchParams.set("error", "access_denied");
  back.searchParams.set("error_description", "<script>alert(1)</script>");

  const page = await browser.go(back.href, { headers: { accept: "text/html,*/*" } });

  assert.equal(page.status, 403);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(page.text, /Sign in again/);
  assert.ok(!page.text.includes("<script>"), page.text);
});
