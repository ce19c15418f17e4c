// @ts-check
/**
 * A real OpenID provider: `node test/programs/idp.mjs`. It prints one line on standard output, {"issuer":"http://…"},
 * and takes one line on standard input, {"redirect_uris":["http://…/callback"]}, before it can be used. Its client is
 * `proxy` with the secret `sesame & more`; its users sign in with their name and any password. A line
 * {"person":{"alice":{"groups":[]}}} changes the claims of a user from then on; {"set":{…}} changes members of `state`
 * below. After each line it prints "ok".
 *
 * It exchanges the ID token or refresh token of a user for an assertion about the user (ID-JAG), as
 * draft-ietf-oauth-identity-assertion-authz-grant says.
 */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { SignJWT } from "jose";
import { errors, Provider } from "oidc-provider";

/** Oidc-provider writes notes about development settings, and a test reads standard output. */
console.info = console.warn = () => {};

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const TYPE = "urn:ietf:params:oauth:token-type:";

const state = {
  /** Lifetime of an ID token (s). */
  idTokenTtl: 600,
  /** Whether a sign-in and a renewal issue a refresh token. */
  refresh: false,
  /** Whether a renewal issues an ID token. */
  renewsIdToken: true,
  /** The users whom its policy denies every server. @type {string[]} */
  denied: [],
  /** An error with which it answers each exchange. */
  error: "",
  /** Replaces claims of the assertion. @type {Record<string, unknown>} */
  claims: {},
  /** Replaces members of the header of the assertion. @type {Record<string, unknown>} */
  header: {},
  /** The client of the assertion: the one that the authorization server of the MCP server knows. */
  client: "jag-client",
};
/** The exchanges so far. @type {object[]} */
const exchanges = [];
/** The refresh tokens that were revoked. @type {string[]} */
const revoked = [];

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const signingKey = { ...privateKey.export({ format: "jwk" }), kid: "idp", use: "sig", alg: "RS256" };

/** @type {Record<string, { email: string, email_verified: boolean, name: string, groups: string[] }>} */
const people = {
  alice: { email: "alice@example.com", email_verified: true, name: "Alice Adams", groups: ["dev"] },
  bob: { email: "bob@example.com", email_verified: true, name: "Bob Brown", groups: ["ops"] },
  carol: { email: "Carol@Example.com", email_verified: true, name: "Carol Clark", groups: [] },
  mallory: { email: "carol@example.com", email_verified: false, name: "Mallory", groups: ["dev", "ops"] },
};

/** @type {string[]} */
let redirects = [];
/** @type {((req: import("node:http").IncomingMessage, res: import("node:http").ServerResponse) => unknown) | undefined} */
let handle;
const server = createServer((req, res) => {
  if (handle) return void handle(req, res);
  res.writeHead(503).end();
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const issuer = `http://127.0.0.1:${port}`;
  console.log(JSON.stringify({ issuer }));
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { redirect_uris, person, set, sign_in } = JSON.parse(line);
    Object.assign(state, set);
    if (person)
      for (const [name, claims] of Object.entries(person))
        people[name] = { ...bare(name), ...(Object.hasOwn(people, name) ? people[name] : {}), ...claims };
    if (redirect_uris) {
      redirects = redirect_uris;
      handle = make(issuer).callback();
    }
    const id_token = sign_in && (await idTokenOf(issuer, sign_in));
    console.log(JSON.stringify({ exchanges, revoked, id_token }));
  });
});
process.stdin.on("end", () => process.exit(0));

/** @param {string} name */
const bare = (name) => ({ email: `${name}@example.com`, email_verified: true, name, groups: [] });

/** @param {string} issuer */
function make(issuer) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "proxy",
        client_secret: "sesame & more",
        redirect_uris: redirects,
        grant_types: ["authorization_code", "refresh_token", TOKEN_EXCHANGE],
      },
      // The MCP client of an employee; `{"sign_in":"alice"}` signs the employee in there.
      {
        client_id: "desktop",
        client_secret: "desktop-secret",
        redirect_uris: redirects,
        grant_types: [TOKEN_EXCHANGE],
      },
    ],
    cookies: { keys: ["a key for tests"] },
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    ttl: {
      Interaction: 600,
      Grant: 600,
      Session: 600,
      AccessToken: 600,
      RefreshToken: 600,
      IdToken: () => state.idTokenTtl,
      AuthorizationCode: 60,
    },
    jwks: { keys: [signingKey] },
    features: { revocation: { enabled: true }, devInteractions: { enabled: true } },
    issueRefreshToken: async () => state.refresh,
    rotateRefreshToken: true,
    findAccount: (_, sub) =>
      Object.hasOwn(people, sub) ? { accountId: sub, claims: async () => ({ sub, ...people[sub] }) } : undefined,
  });
  provider.on("server_error", (_, error) => console.error(error));
  provider.on("refresh_token.destroyed", (token) => void revoked.push(token.jti));
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (ctx) => {
      ctx.body = await exchange(ctx, provider, issuer);
    },
    ["requested_token_type", "audience", "resource", "scope", "subject_token", "subject_token_type"],
  );
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.params?.grant_type === "refresh_token" && !state.renewsIdToken && ctx.status === 200)
      ctx.body = { ...ctx.body, id_token: undefined };
  });
  return provider;
}

/** @param {string} issuer @param {string} sub */
const idTokenOf = (issuer, sub) =>
  new SignJWT({ iss: issuer, sub, aud: "desktop" })
    .setProtectedHeader({ alg: "RS256", kid: "idp" })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);

/** @param {any} ctx @param {Provider} provider @param {string} issuer */
async function exchange(ctx, provider, issuer) {
  const { client, params } = ctx.oidc;
  exchanges.push({ ...params, client: client.clientId });
  if (state.error) throw new errors.CustomOIDCProviderError(state.error, "as the test wants");
  if (params.requested_token_type !== `${TYPE}id-jag`) throw new errors.InvalidRequest("only ID-JAG");
  const sub = await subjectOf(params, provider, client);
  if (state.denied.includes(sub))
    throw new errors.CustomOIDCProviderError("access_denied", "not assigned to the application");
  const { audience: aud, resource, scope } = params;
  const claims = { client_id: state.client, resource, ...(scope && { scope }), email: people[sub]?.email };
  const assertion = await new SignJWT({ iss: issuer, sub, aud, jti: randomUUID(), ...claims, ...state.claims })
    .setProtectedHeader({ alg: "RS256", kid: "idp", typ: "oauth-id-jag+jwt", ...state.header })
    .setIssuedAt()
    .setExpirationTime(/** @type {number | string} */ (state.claims.exp ?? "5m"))
    .sign(privateKey);
  return { issued_token_type: `${TYPE}id-jag`, access_token: assertion, token_type: "N_A", expires_in: 300 };
}

/** @param {any} params @param {Provider} provider @param {any} client @returns {Promise<string>} */
async function subjectOf({ subject_token: token, subject_token_type: type }, provider, client) {
  if (type === `${TYPE}refresh_token`) {
    const found = await provider.RefreshToken.find(token);
    if (found?.isValid && found.clientId === client.clientId) return String(found.accountId);
  }
  if (type === `${TYPE}id_token`) {
    // The provider's check is for hints, which may have expired.
    const { payload } = await /** @type {any} */ (provider.IdToken).validate(token, client).catch(() => ({}));
    if (payload && payload.exp > Date.now() / 1000) return payload.sub;
  }
  throw new errors.InvalidGrant("the subject token is not valid");
}
