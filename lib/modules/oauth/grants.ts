import type { ClientAuth, Configuration, CustomFetch, TokenEndpointResponse } from "openid-client";
import type { Egress } from "../../core/base/egress/egress.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { Authority, Client, Pending, Tokens } from "./credentials.ts";
import type { Settings } from "./settings.ts";

/** What one conversation with a sign-in server needs. */
export interface Grant {
  readonly dial: Egress;
  readonly authority: Authority;
  readonly client: Client;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly now: number;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

/**
 * Exchanges what a browser came back with. State, issuer (RFC 9207) and an error in place of a code are checked first.
 *
 * @throws what `refusalOf` reads
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

/** Renews an access token; a refresh token that is not replaced stays. @throws what `refusalOf` reads */
export async function renew(grant: Grant, before: Tokens & { refresh: string }): Promise<Tokens> {
  const library = await import("openid-client");
  const config = await configuration(grant);
  const response = await library.refreshTokenGrant(config, before.refresh, tokenParameters(grant));
  return {
    refresh: before.refresh,
    ...(before.scope !== undefined && { scope: before.scope }),
    ...tokensOf(response, grant.now),
  };
}

/** Ends a token at the server that gave it (RFC 7009). @throws what `refusalOf` reads */
export async function revoke(grant: Grant, token: string, kind: "access_token" | "refresh_token"): Promise<void> {
  const library = await import("openid-client");
  await library.tokenRevocation(await configuration(grant), token, { token_type_hint: kind });
}

async function configuration(grant: Grant): Promise<Configuration> {
  const library = await import("openid-client");
  const { authority, client, settings } = grant;
  const secret = client.registered ? client.secret : settings.clientSecret;
  const auth =
    client.method === "none" || secret === undefined
      ? library.None()
      : client.method === "client_secret_post"
        ? library.ClientSecretPost(secret)
        : basic(client.id, secret);
  const server = {
    issuer: authority.issuer,
    authorization_endpoint: authority.authorization_endpoint,
    token_endpoint: authority.token_endpoint,
    ...(authority.revocation_endpoint && { revocation_endpoint: authority.revocation_endpoint }),
    ...(authority.iss_expected && { authorization_response_iss_parameter_supported: true }),
  };
  const config = new library.Configuration(server, client.id, undefined, auth);
  // What may be asked in the clear was decided with the endpoints (allow.ts).
  library.allowInsecureRequests(config);
  config[library.customFetch] = through(grant);
  return config;
}

/**
 * HTTP Basic with both halves form-encoded (RFC 6749 §2.3.1), but no more than that asks for: the library's own also
 * escapes `-` and the like, which servers that decode nothing do not understand.
 */
function basic(id: string, secret: string): ClientAuth {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  const pair = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64");
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${pair}`);
}

/** The library's requests, by the one way out. Codes, secrets and tokens follow no redirect. */
function through({ dial, settings, signal }: Grant): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await dial.fetch(url, {
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
 * The answer as far as it counts here. Some servers say 201 for a token, leave out its type or name what they do not
 * give as null; who a person is, is of no interest, so an `id_token` that a wrong clock could spoil is not read.
 */
function plain(status: number, type: string, text: string): Response {
  const success = status >= 200 && status < 300;
  const headers = { "content-type": type };
  if (!success) return new Response(text, { status, headers });
  try {
    const said: unknown = JSON.parse(text);
    if (!isJsonObject(said)) return new Response(text, { status: 200, headers });
    const { id_token: _, ...rest } = said;
    const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
    const body = JSON.stringify("access_token" in kept ? { token_type: "bearer", ...kept } : kept);
    return new Response(body, { status: 200, headers: { "content-type": "application/json" } });
  } catch {
    return new Response(text, { status: 200, headers });
  }
}

function tokenParameters({ authority, settings }: Grant): Record<string, string> {
  return { resource: authority.resource, ...settings.extra };
}

function tokensOf(response: TokenEndpointResponse, now: number): Tokens {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = response;
  if (response.token_type !== "bearer") throw new Error(`its token is of type ${response.token_type}, not bearer`);
  if (!/^[\x21-\x7e]+$/.test(access)) throw new Error("its token cannot be sent in a header");
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    obtained_at: now,
    // Zero is how some say that it never ends (reference 6.4).
    ...(seconds !== undefined && seconds > 0 && { expires_at: now + seconds * 1000 }),
    ...(scope !== undefined && { scope }),
  };
}
