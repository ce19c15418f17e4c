import { Fault, reasonOf } from "../../core/base/fault.ts";
import { quote } from "./quote.ts";

/** Why an authorization server issued no token. */
export interface Refusal {
  /**
   * `grant`: the code or refresh token is not accepted (any more). `client`: the client is unknown. `denied`: a person
   * or the server denied access. `answer`: the response does not belong to this sign-in. `passing`: a failure that may
   * be transient.
   */
  kind: "grant" | "client" | "denied" | "answer" | "passing";
  /** Text for users; contains no secret. */
  text: string;
  /** The server's `error` code, if present. */
  error?: string;
}

const KINDS: Record<string, Refusal["kind"]> = {
  invalid_grant: "grant",
  invalid_client: "client",
  unauthorized_client: "client",
};

/** Interprets an error of the OAuth library or the guarded fetch. @param secrets values that no text may contain */
export function refusalOf(
  thrown: unknown,
  secrets: readonly (string | undefined)[],
  who = "the sign-in server",
): Refusal {
  if (thrown instanceof Fault) return { kind: "passing", text: quote(thrown.message, secrets) };
  const { code, error, error_description: description, cause } = (thrown ?? {}) as Record<string, unknown>;
  // The library wraps errors of the guarded fetch.
  if (cause instanceof Fault) return { kind: "passing", text: quote(cause.message, secrets) };
  if (typeof error === "string") {
    const quoted = quote(typeof description === "string" ? `${error} (${description})` : error, secrets);
    const kind = code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR" ? "denied" : (KINDS[error] ?? "passing");
    return { kind, text: `${who} returned ${quoted}`, error: quote(error, secrets).slice(0, 60) };
  }
  const status = statusOf(thrown);
  if (status !== undefined) return { kind: "passing", text: `${who} returned HTTP ${status}` };
  const inner = cause instanceof Error ? cause.message : reasonOf(thrown);
  const answer = code === "OAUTH_INVALID_RESPONSE" && /response parameter/.test(inner);
  return { kind: answer ? "answer" : "passing", text: quote(inner, secrets) };
}

/** The HTTP status of the response that the library rejected, from the chain of causes. */
function statusOf(thrown: unknown): number | undefined {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at.cause instanceof Response && !at.cause.ok) return at.cause.status;
  return undefined;
}
