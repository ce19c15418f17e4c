import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import type { App } from "../../core/app.ts";
import { askProvider, nodeRequest } from "./ask-provider.ts";
import { oauthProvider } from "./provider.ts";
import type { RequestNote } from "./record-refusals.ts";
import { issuerOf, requireOAuth } from "./settings.ts";

/** Maximum size of a form or of a registration. (bytes) */
export const MAX_OAUTH_BODY_BYTES = 32 * 1024;
const TIMEOUT_MS = 15_000;

/** Headers that the provider needs. Its session cookie is not among them: each sign-in stands on its own. */
const HEADERS = ["accept", "authorization", "content-type", "user-agent"] as const;
const SESSION_COOKIE = /(?:^|;\s*)proxy_sign_in_session(?:\.sig)?=[^;]*/g;

interface OAuthRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body?: string;
}

/**
 * Passes a request on to the authorization server.
 *
 * @throws Fault client_sign_in_disabled
 */
export async function askOAuth(app: App, c: Context, request: OAuthRequest): Promise<Response> {
  requireOAuth(app);
  const { handle } = await app.part(oauthProvider)();
  const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await askProvider(handle, providerRequest(app, c, request), signal);
  const cookies = response.headers.getSetCookie().filter((one) => !one.startsWith("proxy_sign_in_session"));
  response.headers.delete("set-cookie");
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Makes the provider's form of a request. */
export function providerRequest(app: App, c: Context, request: OAuthRequest) {
  const { requestId, clientIp } = (c.env as { admission: AuthenticationResult }).admission;
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = c.req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const cookie = c.req.header("cookie")?.replaceAll(SESSION_COOKIE, "");
  if (cookie) headers.cookie = cookie;
  const note: RequestNote = { requestId, clientIp };
  return Object.assign(nodeRequest(issuerOf(app), { ...request, headers }), { note });
}
