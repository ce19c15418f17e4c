// @ts-check
/**
 * An MCP server of the SDK behind its bearer middleware, with its authorization server (`oidc-provider`): `node
 * test/programs/upstream-oauth.mjs [CLIENTS]`. When both listen it prints one line on standard output:
 * {"url":"http://127.0.0.1:PORT/mcp","issuer":"http://127.0.0.1:PORT","pid":N}.
 *
 * Every sign-in succeeds with consent, by redirects only. POST /control at the MCP server's origin sets errors from
 * then on (the members of `state` below) and returns `state` with `counts`, `tokens` and `seen`; `{"forget":"grants"}`
 * ends every token, `"access"` the access tokens alone, `"clients"` every registration.
 */
import { once } from "node:events";
import http from "node:http";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";
import Provider, { errors } from "oidc-provider";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Oidc-provider writes notes about development settings. */
console.info = console.warn = () => {};

const state = {
  /** The MCP server's metadata: false for none; an object replaces members. */
  /** @type {any} */ resource: {},
  /**
   * The authorization server's metadata, likewise; `huge`, `slow`, `redirect` and `busy` (how often) change the
   * response.
   */
  /** @type {any} */ server: {},
  /**
   * Replaces the endpoint's response: {status, body, type}, or `drop` to close the connection, `hang` to send nothing.
   */
  /** @type {any} */ token: null,
  /** @type {any} */ register: null,
  /** @type {any} */ revocation: null,
  /** Redirects the browser with these parameters instead of signing in. */
  /** @type {any} */ authorize: null,
  /** Rejects every token. */
  refuse: false,
  /** Lifetime of an access token (s). */
  ttl: 3600,
  /** Replaces members of the token response. */
  /** @type {any} */ answer: null,
  /** Delay of the token endpoint (ms). */
  tokenDelay: 0,
  /** Issuer of the identity provider whose assertions (ID-JAG) the authorization server accepts. */
  idp: "",
};
/** @type {Record<string, number>} */
const counts = {};
/** All secrets that were issued, for tests that search for leaks. */
/** @type {Set<string>} */
const tokens = new Set();
/** @type {object[]} requests at the token endpoint */
const seen = [];
/** @type {{ account: string | undefined, method: string, name: string | undefined }[]} requests at the MCP server */
const calls = [];
/** @type {string[]} why assertions were rejected */
const rejected = [];
/** @type {Set<unknown>} ids of used assertions */
const used = new Set();
/** @param {string} name */
const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

const as = http.createServer();
as.listen(0, "127.0.0.1");
await once(as, "listening");
const mcp = http.createServer();
mcp.listen(0, "127.0.0.1");
await once(mcp, "listening");
/** @param {http.Server} server */
const origin = (server) => `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
const issuer = origin(as);
const url = `${origin(mcp)}/mcp`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "static-client",
      client_secret: "static-secret-static-secret",
      redirect_uris: ["http://127.0.0.1:3118/oauth/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      application_type: "native",
    },
    // Clients that sign in as themselves, from the command line.
    ...JSON.parse(process.argv[2] ?? "[]"),
  ],
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
  scopes: ["openid", "offline_access", "tools:read", "tools:write"],
  cookies: { keys: ["test"] },
  findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => url,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "tools:read tools:write",
        accessTokenFormat: "opaque",
        accessTokenTTL: state.ttl,
      }),
    },
  },
  interactions: { url: (_, interaction) => `/consent/${interaction.uid}` },
  ttl: { AccessToken: () => state.ttl, RefreshToken: 86_400, Session: 3600, Interaction: 600, Grant: 86_400 },
});

provider.registerGrantType(
  JWT_BEARER,
  async (ctx) => {
    const { client, params } = ctx.oidc;
    const account = await accountOf(String(params?.assertion), String(client?.clientId));
    const token = new provider.AccessToken(
      /** @type {any} */ ({ accountId: account, client, scope: params?.scope ?? "tools:read", gty: JWT_BEARER }),
    );
    const access_token = await token.save();
    ctx.body = { access_token, token_type: "Bearer", expires_in: state.ttl, scope: token.scope };
  },
  ["assertion", "scope", "resource"],
);

/** The account that an assertion names (RFC 7523 §3, ID-JAG §4.4). @param {string} assertion @param {string} client */
async function accountOf(assertion, client) {
  try {
    const { payload } = await jwtVerify(assertion, createRemoteJWKSet(new URL(`${state.idp}/jwks`)), {
      issuer: state.idp,
      audience: issuer,
      typ: "oauth-id-jag+jwt",
      requiredClaims: ["sub", "jti", "exp", "iat"],
    });
    if (payload.client_id !== client) throw new Error("it is for another client");
    if (payload.resource !== url) throw new Error("it is for another resource");
    if (used.has(payload.jti)) throw new Error("it was used before");
    used.add(payload.jti);
    return payload.sub;
  } catch (error) {
    rejected.push(/** @type {Error} */ (error).message);
    throw new errors.InvalidGrant("the assertion is not accepted");
  }
}

/** Signs in and consents to everything. @param {http.IncomingMessage} req @param {http.ServerResponse} res */
async function consent(req, res) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
  if (prompt.name === "login") return await provider.interactionFinished(req, res, { login: { accountId: "alice" } });
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ||
    new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  const asked = String(params.scope ?? "");
  grant.addOIDCScope(asked);
  grant.addResourceScope(url, asked);
  return await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
}

/** @param {http.ServerResponse} res @param {any} how @returns {boolean} */
function instead(res, how) {
  if (!how) return false;
  if (how === "drop") res.destroy();
  else if (how !== "hang") {
    res.writeHead(how.status, { "content-type": how.type ?? "application/json", ...how.headers });
    res.end(typeof how.body === "string" ? how.body : JSON.stringify(how.body ?? {}));
  }
  return true;
}

/** Sends a document with replaced members. @param {http.ServerResponse} res @param {object} own @param {any} over */
function metadata(res, own, over) {
  if (over === false) return void res.writeHead(404).end();
  if (over.redirect) return void res.writeHead(302, { location: over.redirect }).end();
  if (over.slow) return;
  if (over.busy-- > 0) return void res.writeHead(429, { "retry-after": "0" }).end();
  const { huge, busy: _, ...members } = over;
  res.writeHead(200, { "content-type": "application/json" });
  res.end(JSON.stringify({ ...own, ...members, ...(huge && { padding: "x".repeat(huge) }) }));
}

as.on("request", async (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? "/", issuer);
  if (/^\/\.well-known\/(oauth-authorization-server|openid-configuration)$/.test(pathname)) {
    const own = await (await fetch(`${issuer}/own-metadata`)).json();
    return metadata(res, own, state.server);
  }
  if (pathname === "/own-metadata") req.url = "/.well-known/openid-configuration";
  if (pathname.startsWith("/consent/")) return void (await consent(req, res));
  if (pathname === "/reg") count("register");
  if (pathname === "/reg" && instead(res, state.register)) return;
  if (pathname === "/token/revocation") {
    count("revoke");
    if (instead(res, state.revocation)) return;
  }
  if (pathname === "/auth" && state.authorize) {
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    const answer = { state: searchParams.get("state") ?? "", ...state.authorize };
    for (const [key, value] of Object.entries(answer)) if (value !== null) back.searchParams.set(key, value);
    return void res.writeHead(302, { location: back.href }).end();
  }
  if (pathname === "/token") return await token(req, res);
  return provider.callback()(req, res);
});

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res */
async function token(req, res) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const asked = Object.fromEntries(new URLSearchParams(body));
  count(asked.grant_type ?? "");
  /** @type {Record<string, string | undefined>} */
  const request = { ...asked, authorization: req.headers.authorization, at: String(Date.now()) };
  seen.push(request);
  for (const secret of [asked.code, asked.code_verifier, asked.refresh_token]) if (secret) tokens.add(secret);
  if (state.tokenDelay) await new Promise((done) => setTimeout(done, state.tokenDelay));
  const how = state.token;
  if (how?.echo) {
    const said = [asked.code, asked.code_verifier, asked.refresh_token].filter(Boolean).join(" ");
    return instead(res, { status: 400, body: { error: how.echo, error_description: `cannot use ${said}` } });
  }
  if (instead(res, how)) return;
  const answer = await asProvider(req, body);
  request.status = String(answer.status);
  const given = JSON.parse(answer.text || "{}");
  if (given.access_token) accessTokens.add(given.access_token);
  for (const secret of [given.access_token, given.refresh_token]) if (secret) tokens.add(secret);
  const { status = answer.status, ...members } = state.answer ?? {};
  const out = answer.status < 300 ? { ...given, ...members } : given;
  res.writeHead(answer.status < 300 ? status : answer.status, { "content-type": "application/json" });
  res.end(JSON.stringify(out));
}

/** The request body was already read, so the provider gets a new request. */
const inner = http.createServer(provider.callback());
inner.listen(0, "127.0.0.1");
await once(inner, "listening");
/** @param {http.IncomingMessage} req @param {string} body */
async function asProvider(req, body) {
  const { authorization } = req.headers;
  const answer = await fetch(`${origin(inner)}/token`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(authorization && { authorization }),
    },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

const app = express();
mcp.on("request", app);
app.post("/control", express.json(), (req, res) => {
  const { forget, ...set } = req.body;
  Object.assign(state, set);
  if (forget === "access") for (const token of accessTokens) forgotten.add(token);
  if (forget === "grants") for (const token of tokens) forgotten.add(token);
  if (forget === "clients") for (const id of clients) forgotten.add(id);
  res.json({ ...state, issuer, counts, tokens: [...tokens], seen, calls, rejected });
});
/** Tokens and clients that were deleted. @type {Set<string>} */
const forgotten = new Set();
/** @type {Set<string>} */
const accessTokens = new Set();
/** @type {Set<string>} */
const clients = new Set();
provider.on("registration_create.success", (_, client) => void clients.add(client.clientId));
const { AccessToken, Client, ClientCredentials, RefreshToken } = provider;
for (const kind of [AccessToken, Client, RefreshToken]) {
  /** @type {(id: string, ...rest: any[]) => Promise<any>} */
  const find = kind.find.bind(kind);
  kind.find = async (/** @type {string} */ id, /** @type {any[]} */ ...rest) =>
    forgotten.has(id) ? undefined : find(id, ...rest);
}

app.get(/^\/\.well-known\/oauth-protected-resource/, (_, res) => {
  const own = { resource: url, authorization_servers: [issuer], scopes_supported: ["tools:read"] };
  metadata(res, own, state.resource);
});
const verifier = {
  /** @param {string} value */
  async verifyAccessToken(value) {
    const found = state.refuse ? undefined : ((await AccessToken.find(value)) ?? (await ClientCredentials.find(value)));
    if (!found) throw new InvalidTokenError("not a good token");
    return {
      token: value,
      clientId: found.clientId ?? "",
      scopes: (found.scope ?? "").split(" "),
      // The proxy's clock may differ.
      expiresAt: Math.floor(Date.now() / 1000) + 60,
      extra: { account: "accountId" in found ? found.accountId : undefined },
    };
  },
};
const resourceMetadataUrl = `${origin(mcp)}/.well-known/oauth-protected-resource/mcp`;
const guard = requireBearerAuth({ verifier, resourceMetadataUrl });
const writeGuard = requireBearerAuth({ verifier, requiredScopes: ["tools:write"], resourceMetadataUrl });
app.all(
  "/mcp",
  express.json(),
  (req, _res, next) => {
    count(req.headers.authorization ? "shown" : "bare");
    next();
  },
  guard,
  (req, _res, next) => {
    const { method, params } = req.body ?? {};
    const { account } = /** @type {any} */ (req).auth.extra;
    if (method) calls.push({ account, method, name: params?.name });
    next();
  },
  (req, res, next) => (req.body?.params?.name === "write" ? writeGuard(req, res, next) : next()),
  async (req, res) => {
    const server = new McpServer({ name: "guarded", version: "1.0.0" });
    server.registerTool("read", { description: "reads" }, async () => ({ content: [{ type: "text", text: "read" }] }));
    server.registerTool("write", { description: "writes" }, async () => ({
      content: [{ type: "text", text: "wrote" }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    res.on("close", () => void transport.close());
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
  },
);

process.stdout.write(`${JSON.stringify({ url, issuer, pid: process.pid })}\n`);
