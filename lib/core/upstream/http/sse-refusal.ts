import type { UpstreamAuthorization } from "../authorization.ts";
import { ScopeNeeded, SignInNeeded, StatusError } from "../errors.ts";

/** Headers of a response, as undici gives them. */
export type Headers = Record<string, string | string[] | undefined>;

/** A request that was refused with status 401 and is sent once more, after the sign-in was renewed. */
export interface Mending {
  bearer: UpstreamAuthorization;
  challenge: string | undefined;
}

export function challengeIn(headers: Headers): string | undefined {
  const challenge = headers["www-authenticate"];
  return challenge === undefined ? undefined : String(challenge);
}

/** The error for a refused request: a sign-in or a wider permission is needed, or the status with the text. */
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
