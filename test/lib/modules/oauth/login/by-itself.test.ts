import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { oauth } from "#lib/modules/oauth/state.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/until.ts";
import { textOf } from "#test/kit/upstream.ts";

/** The proxy signs in to a server as itself, without a person (client credentials). */

const SECRET = "machine-secret-machine-secret";
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pemOf = ({ privateKey }: typeof ec) => privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const jwkOf = ({ publicKey }: typeof ec, alg: string) => ({ ...publicKey.export({ format: "jwk" }), use: "sig", alg });

const machine = (client_id: string, more: object) => ({
  client_id,
  grant_types: ["client_credentials"],
  response_types: [],
  redirect_uris: [],
  ...more,
});

let guarded: Guarded;
before(async () => {
  const byKey = { token_endpoint_auth_method: "private_key_jwt" };
  guarded = await startGuarded(
    machine("by-secret", { client_secret: SECRET }),
    machine("by-ec", { ...byKey, token_endpoint_auth_signing_alg: "ES256", jwks: { keys: [jwkOf(ec, "ES256")] } }),
    machine("by-rsa", { ...byKey, token_endpoint_auth_signing_alg: "RS256", jwks: { keys: [jwkOf(rsa, "RS256")] } }),
  );
});
after(() => guarded.kill());

const world = (sign: object) => ({
  config: guarded.config,
  servers: [
    {
      name: "guarded",
      url: guarded.url,
      trust_mode: "auto" as const,
      oauth: { grant: "client_credentials" as const, ...sign },
    },
  ],
});
const bySecret = { client_id: "by-secret", client_secret: SECRET };
const statusOf = (app: TestApp) => app.upstreams.get("guarded")!.status();
const ready = (app: TestApp) => until("it is connected", () => statusOf(app).state === "Ready");
const read = async (app: TestApp) =>
  textOf(
    await app.upstreams.get("guarded")!.request("tools/call", { name: "read", arguments: {} }, { timeoutMs: 10_000 }),
  );

const CREDENTIALS = [
  ["a secret", () => bySecret],
  ["a key for ES256", () => ({ client_id: "by-ec", private_key: pemOf(ec) })],
  ["a key for RS256", () => ({ client_id: "by-rsa", private_key: pemOf(rsa) })],
] as const;

for (const [what, sign] of CREDENTIALS)
  test(`with ${what}, a server is connected without a person, and calls work`, () =>
    withApp(world(sign()), async (app) => {
      await ready(app);

      assert.equal(await read(app), "read");

      const status = await call(app, "GET /api/v1/servers/{name}/login", { params: { name: "guarded" } });
      assert.deepEqual([status.state, status.renewable, status.client_id], ["signed_in", true, sign().client_id]);
      const { seen } = await guarded.control();
      const last = seen.filter(({ grant_type }) => grant_type === "client_credentials").at(-1);
      assert.deepEqual([last?.resource, last?.scope], [guarded.url, "tools:read"]);
      assert.equal(last?.client_secret, undefined, "a secret is sent in the header only");
    }));

test("a token that expires is replaced, without a person and without a failed call", async (t) => {
  await guarded.control({ ttl: 1 });
  t.after(() => guarded.control({ ttl: 3600 }));
  await withApp(world(bySecret), async (app) => {
    await ready(app);
    const token = () => app.part(oauth).bearer("guarded", new URL(guarded.url)).header();
    const before = await token();

    await until("the token was replaced", async () => (await token()) !== before);

    assert.equal(await read(app), "read");
  });
});

test("a wrong secret is named as the reason, is in no message, and asks nobody to sign in", () =>
  withApp(world({ client_id: "by-secret", client_secret: "another-secret-of-some-length" }), async (app) => {
    await until("the connection failed", () => statusOf(app).lastError !== undefined);

    const { lastError = "", authRequired } = statusOf(app);
    assert.match(lastError, /could not sign in as itself \(client credentials\): .*invalid_client/);
    assert.doesNotMatch(lastError, /another-secret/);
    assert.notEqual(authRequired, true);
    const { status, body } = await ask(app, "POST /api/v1/servers/guarded/login");
    assert.deepEqual([status, body.error_type], [400, "oauth_not_supported"]);
    assert.match(body.message, /oauth\.grant is client_credentials/);
  }));

test("a text that is no key is named, and no list shows a key", () =>
  withApp(world({ client_id: "by-ec", private_key: "no key at all, but still secret" }), async (app) => {
    await until("the connection failed", () => statusOf(app).lastError !== undefined);

    assert.match(statusOf(app).lastError ?? "", /oauth\.private_key is not an unencrypted private key in PEM format/);
    const { body } = await ask(app, "GET /api/v1/servers");
    assert.doesNotMatch(JSON.stringify(body), /no key at all/);
  }));

test("the grant needs a client with a secret or a key", () =>
  withApp({ connect: false }, async (app) => {
    for (const sign of [{}, { client_id: "x" }, { client_secret: "x" }]) {
      const server = { name: "s", url: "https://s.example/mcp", oauth: { grant: "client_credentials", ...sign } };
      const { status, body } = await ask(app, "POST /api/v1/servers", { body: server });

      assert.deepEqual([status, /needs client_id, and client_secret or private_key/.test(body.error)], [400, true]);
    }
  }));
