import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Fault } from "#lib/core/base/fault.ts";
import { credentialKey } from "#lib/modules/oauth/user-key.ts";
import { listenTest, type TestApp, testApp, withApp } from "#test/kit/app.ts";
import { type RudeIdp, startRudeIdp } from "#test/kit/rude-idp.ts";
import { Browser, editionFor } from "#test/kit/team.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Under which address people are known to come, whom that is believed from, and what is refused before anybody comes. */

let idp: RudeIdp;
before(async () => {
  idp = await startRudeIdp();
});
after(() => idp.close());

const FORWARDED = { "x-forwarded-proto": "https", "x-forwarded-host": "mcp.example.com" };
const PUBLIC = "https://mcp.example.com";
/** Edition, trusted proxies, headers; where the provider sends people back to, and whether cookies are Secure. */
const ROWS: [Record<string, unknown>, string[], Record<string, string>, string, boolean][] = [
  [{}, [], {}, "", false],
  [{}, [], FORWARDED, "", false],
  [{}, ["10.0.0.0/8"], FORWARDED, "", false],
  [{}, ["127.0.0.0/8"], FORWARDED, PUBLIC, true],
  [{}, ["127.0.0.0/8"], { "x-forwarded-proto": "http" }, "", false],
  [{}, ["127.0.0.0/8"], { "x-forwarded-proto": "javascript" }, "", false],
  [{ public_url: PUBLIC }, [], {}, PUBLIC, true],
  [{ public_url: `${PUBLIC}/` }, [], {}, PUBLIC, true],
  [
    { public_url: PUBLIC },
    ["127.0.0.0/8"],
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
    PUBLIC,
    true,
  ],
  [{ public_url: "http://127.0.0.1:9" }, ["127.0.0.0/8"], FORWARDED, "http://127.0.0.1:9", false],
  [{ session_cookie_secure: "true" }, [], {}, "", true],
  [{ session_cookie_secure: true, public_url: "http://127.0.0.1:9" }, [], {}, "http://127.0.0.1:9", true],
  [{ session_cookie_secure: "false" }, ["127.0.0.0/8"], FORWARDED, PUBLIC, false],
];

verifies(
  ["edition.public-url", "edition.cookie-secure", "peer.tls-ingress", "edition.auth-callback"],
  "callback and Secure mark follow public_url, else what a trusted proxy says, else the request itself",
  async () => {
    for (const [edition, trusted_proxies, headers, origin, secure] of ROWS) {
      const what = JSON.stringify([edition, trusted_proxies, headers]);
      const config = {
        trusted_proxies,
        trusted_hosts: ["mcp.example.com"],
        server_edition: editionFor(idp.issuer, edition),
      };
      const app = await testApp({ connect: false, config });
      const { url, close } = await listenTest(app);
      try {
        const browser = new Browser(url);
        const page = await browser.go("/api/v1/auth/login", { headers });
        const asked = new URL(page.headers.get("location")!).searchParams;
        assert.equal(asked.get("redirect_uri"), `${origin || url}/api/v1/auth/callback`, what);
        assert.deepEqual(
          [asked.get("response_type"), asked.get("code_challenge_method"), asked.get("scope"), asked.get("client_id")],
          ["code", "S256", "openid profile email", "proxy"],
        );
        idp.nonce = asked.get("nonce")!;
        const back = `/api/v1/auth/callback?code=c&state=${asked.get("state")}`;
        const done = await browser.go(back, { headers });
        assert.equal(done.status, 302, done.text);
        for (const line of [...page.headers.getSetCookie(), ...done.headers.getSetCookie()]) {
          assert.equal(/; Secure$/.test(line), secure, `${what} ${line}`);
          assert.equal(line.startsWith("__Host-"), secure, `${what} ${line}`);
          assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; /);
        }
        assert.equal((await browser.go("/api/v1/auth/me", { headers })).status, 200, what);
      } finally {
        await close();
        await app.close();
      }
    }
  },
);

test("the address of a session is the client's, as a trusted proxy says", async () => {
  const config = { trusted_proxies: ["127.0.0.0/8"], server_edition: editionFor(idp.issuer) };
  await withApp({ connect: false, config }, async (app: TestApp) => {
    const { url, close } = await listenTest(app);
    const browser = new Browser(url);
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const asked = new URL((await browser.go("/api/v1/auth/login", { headers })).headers.get("location")!).searchParams;
    idp.nonce = asked.get("nonce")!;
    await browser.go(`/api/v1/auth/callback?code=c&state=${asked.get("state")}`, { headers });
    assert.equal(app.store.userSessions.all()[0]?.clientIp, "203.0.113.9");
    await close();
  });
});

/** What is refused at the start, and what it says. */
const REFUSED: [string, Record<string, unknown>, RegExp, Record<string, unknown>?][] = [
  ["no issuer", { oauth: { issuer_url: undefined } }, /oauth\.issuer_url: is required/],
  ["no client", { oauth: { client_id: "" } }, /oauth\.client_id: is required/],
  ["no secret", { oauth: { client_secret: "" } }, /oauth\.client_secret: is required/],
  [
    "a secret without a value",
    { oauth: { client_secret: "${env:NOT_THERE}" } },
    /client_secret: is required, but the environment variable NOT_THERE/,
  ],
  ["a part of a secret without a value", { oauth: { client_secret: "a${env:NOT_THERE}" } }, /NOT_THERE is not set/],
  [
    "a secret that nobody keeps",
    { oauth: { client_secret: "${keyring:not-there}" } },
    /client_secret: secret \$\{keyring:not-there\} is not set/,
  ],
  ["a key without a value", { credential_encryption_key: "${env:NOT_THERE}" }, /credential_encryption_key.*NOT_THERE/],
  ["a plain issuer elsewhere", { oauth: { issuer_url: "http://id.example" } }, /issuer_url: must be an https address/],
  ["an issuer with a query", { oauth: { issuer_url: "https://id.example/?a=1" } }, /issuer_url/],
  ["an issuer with a password", { oauth: { issuer_url: "https://a:b@id.example" } }, /issuer_url/],
  [
    "a document for an issuer",
    { oauth: { issuer_url: "https://id.example/.well-known/openid-configuration" } },
    /issuer_url/,
  ],
  ["scopes without openid", { oauth: { scopes: ["email"] } }, /scopes: must include openid/],
  ["another kind of provider", { oauth: { provider: "saml" } }, /must be one of oidc/],
  [
    "another policy",
    { oauth: { email_verified_policy: "maybe" } },
    /must be one of refuse_false, require_true, ignore/,
  ],
  ["a name too long", { oauth: { display_name: "x".repeat(65) } }, /at most 64/],
  ["a public address with a path", { public_url: "https://mcp.example.com/proxy" }, /public_url: must be an origin/],
  ["a public address of another kind", { public_url: "ftp://mcp.example.com" }, /public_url/],
  [
    "a plain cookie beside https",
    { public_url: PUBLIC, session_cookie_secure: "false" },
    /session_cookie_secure: false contradicts an https/,
  ],
  [
    "a plain cookie beside tls",
    { session_cookie_secure: false },
    /session_cookie_secure: false contradicts tls\.enabled/,
    { tls: { enabled: true } },
  ],
  ["servers that are no list", { access: { group_servers: { dev: "git" } } }, /group_servers/],
  ["a session without end", { session_ttl: "0" }, /session_ttl/],
];

verifies(
  ["edition.cookie-refused", "edition.client-secret-missing", "edition.issuer", "edition.scopes", "edition.provider"],
  "what cannot work, or cannot be meant, is refused at the start, by name and without a secret",
  async (t) => {
    for (const [what, over, says, beside = {}] of REFUSED)
      await t.test(what, async () => {
        const config = { ...beside, server_edition: editionFor("https://id.example", over) };
        await assert.rejects(testApp({ connect: false, config }), (fault: Fault) => {
          assert.equal(fault.code, "config_invalid");
          assert.match(fault.message, says);
          assert.ok(!fault.message.includes("sesame"));
          return true;
        });
      });
  },
);

verifies(
  "edition.cred-key",
  "the key is the configuration's, and the environment's only where that is empty",
  async () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const rows: [string | undefined, string | undefined, Buffer | undefined][] = [
      [undefined, undefined, undefined],
      [one.toString("base64"), other.toString("base64"), one],
      ["${env:OWN}", other.toString("base64"), one],
      ["", other.toString("base64"), other],
      [undefined, other.toString("base64"), other],
    ];
    for (const [said, inEnv, wanted] of rows) {
      const server_edition = editionFor("https://id.example", {
        ...(said !== undefined && { credential_encryption_key: said }),
      });
      const env = { OWN: one.toString("base64"), ...(inEnv !== undefined && { SERVICE_CRED_KEY: inEnv }) };
      await withApp({ connect: false, config: { server_edition }, env }, async (app) => {
        assert.deepEqual(await credentialKey(app), wanted, JSON.stringify([said, inEnv]));
      });
    }
    const weak = editionFor("https://id.example", { credential_encryption_key: "a word people think of" });
    await withApp({ connect: false, config: { server_edition: weak } }, async (app) => {
      assert.equal((await credentialKey(app))?.length, 32);
    });
  },
);
