import { proxyRefusalReason } from "../../base/egress/origin-connection.ts";
import { isJsonObject } from "../../base/json-object.ts";
import { ScopeNeeded, SessionLost, SignInNeeded, StatusError, UpstreamError } from "../errors.ts";
import { boundedError } from "../protocol/bounded-error.ts";
import type { HttpHost } from "./http-host.ts";

interface HttpAnswer {
  /** 300 or higher. */
  readonly status: number;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  readonly body: string;
}

/**
 * Returns the error that an HTTP status means for a message that a server rejected.
 *
 * @param generation number of the session that the message named; 0: none
 */
export function httpRefusal(host: HttpHost, { status, challenge, body }: HttpAnswer, generation: number): Error {
  if (status === 401) return new SignInNeeded();
  if (status === 407 && host.proxy) return new UpstreamError(proxyRefusalReason(407, host.url, host.proxy));
  const scope = status === 403 ? host.bearer?.missingScopes(challenge) : undefined;
  if (scope !== undefined) return new ScopeNeeded(scope);
  const rpc = rpcErrorIn(body);
  if (generation > 0 && isUnknownSession(status, rpc?.message)) return new SessionLost(generation);
  return new StatusError(status, rpc, body.trim().slice(0, 200));
}

/**
 * True if a server no longer knows a session. The protocol prescribes status 404; several servers respond with 400 and
 * a message about the session instead (samples are in the test). If the guess is wrong, the only cost is one handshake.
 */
function isUnknownSession(status: number, message: string | undefined): boolean {
  return status === 404 || (status === 400 && /session/i.test(message ?? ""));
}

function rpcErrorIn(body: string) {
  if (!body.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && isJsonObject(value.error) ? boundedError(value.error) : undefined;
  } catch {
    return undefined;
  }
}
