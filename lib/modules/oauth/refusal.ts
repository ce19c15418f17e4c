import { Fault, reasonOf } from "../../core/base/fault.ts";
import { quote } from "./quote.ts";

/** Why a sign-in server gave no token. */
export interface Refusal {
  /**
   * `grant`: what was shown is not accepted (any more). `client`: it does not know us. `denied`: a person or the server
   * said no. `answer`: the answer is not one of this sign-in. `passing`: anything that may be different next time.
   */
  kind: "grant" | "client" | "denied" | "answer" | "passing";
  /** For people; holds no secret. */
  text: string;
  /** The server's own word, where there is one. */
  error?: string;
}

const KINDS: Record<string, Refusal["kind"]> = {
  invalid_grant: "grant",
  invalid_client: "client",
  unauthorized_client: "client",
};

/** Reads what the OAuth library or the dialler threw. @param secrets that no text may show */
export function refusalOf(thrown: unknown, secrets: readonly (string | undefined)[]): Refusal {
  if (thrown instanceof Fault) return { kind: "passing", text: quote(thrown.message, secrets) };
  const { code, error, error_description: description, cause } = (thrown ?? {}) as Record<string, unknown>;
  // The library wraps what the dialler threw.
  if (cause instanceof Fault) return { kind: "passing", text: quote(cause.message, secrets) };
  if (typeof error === "string") {
    const said = quote(typeof description === "string" ? `${error} (${description})` : error, secrets);
    const kind = code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR" ? "denied" : (KINDS[error] ?? "passing");
    return { kind, text: `the sign-in server returned ${said}`, error: quote(error, secrets).slice(0, 60) };
  }
  const status = statusOf(thrown);
  if (status !== undefined) return { kind: "passing", text: `the sign-in server returned HTTP ${status}` };
  const inner = cause instanceof Error ? cause.message : reasonOf(thrown);
  const answer = code === "OAUTH_INVALID_RESPONSE" && /response parameter/.test(inner);
  return { kind: answer ? "answer" : "passing", text: quote(inner, secrets) };
}

/** Of the answer that the library could not use, wherever it stands among the causes. */
function statusOf(thrown: unknown): number | undefined {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at.cause instanceof Response && !at.cause.ok) return at.cause.status;
  return undefined;
}
