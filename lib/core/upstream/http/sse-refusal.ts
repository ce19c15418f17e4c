import type { UpstreamAuthorization } from "../authorization.ts";
import { ScopeNeeded, SignInNeeded, StatusError } from "../errors.ts";

/** Headers of a response in the form of the HTTP client undici. */
export type Headers = Record<string, string | string[] | undefined>;

/** A request that was rejected with status 401 and is repeated after renewing the sign-in. */
export interface Mending {
  bearer: UpstreamAuthorization;
  challenge: string | undefined;
}

/** Returns the `WWW-Authenticate` header, which says how to sign in. */
export function challengeIn(headers: Headers): string | undefined {
  const challenge = headers["www-authenticate"];
  return challenge === undefined ? undefined : String(challenge);
}

/**
 * Returns the error for a rejected request: a sign-in or more permissions are required, or the status with the text.
 */
export function sseRefusal(
  status: number,
  headers: Headers,
  text: string,
  bearer: UpstreamAuthorization | undefined,
): Error {
  if (status === 401) return new SignInNeeded();
  const scope = status === 403 ? bearer?.missingScopes(challengeIn(headers)) : undefined;
  return scope === undefined ? new StatusError(status, undefined, text) : new ScopeNeeded(scope);
}
