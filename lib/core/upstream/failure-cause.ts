import { Fault } from "../base/fault.ts";
import type { FailureCause } from "../schema/connection-status.ts";
import { UpstreamError } from "./errors.ts";

/**
 * Returns the cause of a failed connection: the one that the throwing code states, otherwise the one that the text of a
 * server or the operating system indicates. No other code reads such texts; all decisions use the cause.
 */
export function failureCause(error: Error): FailureCause | undefined {
  if (error instanceof Fault && error.code === "call_timeout") return "connection_timeout";
  if (error instanceof UpstreamError && error.failureCause) return error.failureCause;
  const text = error.message;
  if (isOAuthConfiguration(text)) return "oauth_configuration";
  if (SIGN_IN.test(text) && !NETWORK.test(text)) return "sign_in_needed";
  // The last output of a process may contain any text, so it is not searched; the failure is that the process ended.
  if (error instanceof UpstreamError && error.errorClass === "process_exited") return undefined;
  return CAUSES.find(([words]) => words.test(text))?.[1];
}

/** True for errors that require a change of the configuration. */
function isOAuthConfiguration(text: string): boolean {
  return /oauth/i.test(text) && /resource parameter|client_id (?:is )?required|oauth config/i.test(text);
}

const SIGN_IN =
  /oauth|authentication required|authentication strategies failed|unauthorized|login required|token expired|invalid_grant|access_denied/i;
/** Words that mean that the sign-in server could not be reached, in which case the sign-in itself did not fail. */
const NETWORK = /refused|reset|unreachable|no route|econn|enotfound|etimedout/i;

/** Patterns and the causes they indicate; the first match counts. */
const CAUSES: readonly (readonly [RegExp, FailureCause])[] = [
  [/enotfound|eai_again/i, "host_not_found"],
  [/connection refused|econnrefused/i, "connection_refused"],
  [/connection reset|econnreset/i, "connection_reset"],
  [/timeout|timed out|etimedout|did not respond within/i, "connection_timeout"],
  [/eof|socket hang up|other side closed/i, "connection_closed"],
  [/enoent/i, "command_not_found"],
  [/eacces/i, "command_not_executable"],
  [/authentication failed/i, "authentication_failed"],
  [/unauthorized/i, "unauthorized"],
  [/forbidden/i, "forbidden"],
  [/oauth/i, "oauth_error"],
  [/certificate/i, "certificate"],
  [/ehostunreach|enetunreach/i, "host_unreachable"],
];
