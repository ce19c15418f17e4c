import type { ClientAuth, Configuration, CustomFetch, TokenEndpointResponse } from "openid-client";
import type { Egress } from "../../core/base/egress/egress.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { Authority, Client, Pending, Tokens } from "./credentials.ts";
import type { Settings } from "./settings.ts";
import { signingKey } from "./signing-key.ts";

/** The inputs of a request to an authorization server. */
export interface Grant {
  readonly egress: Egress;
  readonly authority: Authority;
  readonly client: Client;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly now: number;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

/**
 * Exchanges an authorization response for tokens. State, issuer (RFC 9207) and error parameters are checked first.
 *
 * @throws errors that `refusalOf` interprets
 */
export async function exchange(grant: Grant, { state, verifier }: Pending, answer: URLSearchParams): Promise<Tokens> {
  const library = await import("openid-client");
  const back = new URL(grant.client.redirect_uri);
  back.search = answer.toString();
  const response = await library.authorizationCodeGrant(
    await configuration(grant),
    back,
    { expectedState: state, pkceCodeVerifier: verifier },
    tokenParameters(grant),
  );
  return tokensOf(response, grant.now);
}

/**
 * Renews an access token; the refresh token is kept unless the response replaces it. @throws errors that `refusalOf`
 * interprets
 */
export async function renew(grant: Grant, before: Tokens): Promise<Tokens> {
  const library = await import("openid-client");
  const config = await configuration(grant);
  const { refresh = "" } = before;
  const response = await library.refreshTokenGrant(config, refresh, tokenParameters(grant));
  return {
    refresh,
    ...(before.scope !== undefined && { scope: before.scope }),
    ...tokensOf(response, grant.now),
  };
}

/**
 * Gets an access token for the proxy itself, without a person (RFC 6749 §4.4; MCP extension "OAuth client credentials").
 *
 * @throws errors that `refusalOf` interprets
 */
export async function grantByClient(grant: Grant, scope: string | undefined): Promise<Tokens> {
  const library = await import("openid-client");
  const parameters = { ...tokenParameters(grant), ...(scope !== undefined && { scope }) };
  const response = await library.clientCredentialsGrant(await configuration(grant), parameters);
  return { ...(scope !== undefined && { scope }), ...withoutRefresh(tokensOf(response, grant.now)) };
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/**
 * Gets an access token for the person whom an assertion of another authorization server names (RFC 7523 §2.1).
 *
 * @throws errors that `refusalOf` interprets
 */
export async function grantByAssertion(grant: Grant, assertion: string, scope: string | undefined): Promise<Tokens> {
  const library = await import("openid-client");
  const parameters = { ...tokenParameters(grant), assertion, ...(scope !== undefined && { scope }) };
  const response = await library.genericGrantRequest(await configuration(grant), JWT_BEARER, parameters);
  return { ...(scope !== undefined && { scope }), ...withoutRefresh(tokensOf(response, grant.now)) };
}

/** A refresh token should not be issued with these grants (RFC 6749 §4.4.3), and is not needed. */
function withoutRefresh({ refresh: _, ...tokens }: Tokens): Tokens {
  return tokens;
}

/** Revokes a token at the authorization server (RFC 7009). @throws errors that `refusalOf` interprets */
export async function revoke(grant: Grant, token: string, kind: "access_token" | "refresh_token"): Promise<void> {
  const library = await import("openid-client");
  await library.tokenRevocation(await configuration(grant), token, { token_type_hint: kind });
}

async function configuration(grant: Grant): Promise<Configuration> {
  const library = await import("openid-client");
  const { authority, client } = grant;
  const server = {
    issuer: authority.issuer,
    ...(authority.authorization_endpoint && { authorization_endpoint: authority.authorization_endpoint }),
    token_endpoint: authority.token_endpoint,
    ...(authority.revocation_endpoint && { revocation_endpoint: authority.revocation_endpoint }),
    ...(authority.iss_expected && { authorization_response_iss_parameter_supported: true }),
  };
  const config = new library.Configuration(server, client.id, undefined, await clientAuth(grant));
  // `allow.ts` already decided which endpoints may use plain HTTP.
  library.allowInsecureRequests(config);
  config[library.customFetch] = guardedFetch(grant);
  return config;
}

/** How the proxy authenticates at the token endpoint. */
async function clientAuth({ authority, client, settings }: Grant): Promise<ClientAuth> {
  const library = await import("openid-client");
  if (client.method === "private_key_jwt" && settings.privateKey)
    return library.PrivateKeyJwt(await signingKey(settings.privateKey, authority.signing_algs));
  const secret = client.registered ? client.secret : settings.clientSecret;
  if (client.method === "none" || secret === undefined) return library.None();
  return client.method === "client_secret_post" ? library.ClientSecretPost(secret) : basic(client.id, secret);
}

/**
 * HTTP Basic with both parts form-encoded (RFC 6749 §2.3.1), but with no unneeded escapes. The library also escapes `-`
 * and similar characters, which servers that do not decode reject.
 */
function basic(id: string, secret: string): ClientAuth {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  const pair = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64");
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${pair}`);
}

/** Sends the library's requests through the guarded fetch. Codes, secrets and tokens follow no redirect. */
function guardedFetch({ egress, settings, signal }: Grant): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await egress.fetch(url, {
      signal,
      method,
      headers,
      ...(body !== null && body !== undefined && { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirects: 0,
      allow: settings.allow,
    });
    return plain(answer.status, answer.headers.get("content-type") ?? "", answer.text);
  };
}

/**
 * Normalises a token response. Some servers respond with status 201, omit `token_type`, or send null for absent
 * members. The `id_token` is removed: the proxy does not use it, and a wrong clock would make it invalid.
 */
function plain(status: number, type: string, text: string): Response {
  const success = status >= 200 && status < 300;
  const headers = { "content-type": type };
  if (!success) return new Response(text, { status, headers });
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isJsonObject(parsed)) return new Response(text, { status: 200, headers });
    const { id_token: _, ...rest } = parsed;
    const members = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
    const body = JSON.stringify("access_token" in members ? { token_type: "bearer", ...members } : members);
    return new Response(body, { status: 200, headers: { "content-type": "application/json" } });
  } catch {
    return new Response(text, { status: 200, headers });
  }
}

function tokenParameters({ authority, settings }: Grant): Record<string, string> {
  return { resource: authority.resource, ...settings.extra };
}

/** A longer lifetime counts as this one; it has to remain a date that can be stored. (100 years in seconds) */
const MAX_LIFE_S = 100 * 365 * 86_400;

function tokensOf(response: TokenEndpointResponse, now: number): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = response;
  if (response.token_type !== "bearer") throw new Error(`its token is of type ${response.token_type}, not bearer`);
  if (!/^[\x21-\x7e]+$/.test(access)) throw new Error("its token cannot be sent in a header");
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    obtained_at: now,
    // Some servers send zero for a token without expiry (reference 6.4).
    ...(seconds !== undefined && seconds > 0 && { expires_at: now + Math.min(seconds, MAX_LIFE_S) * 1000 }),
    ...(scope !== undefined && { scope }),
  };
}
