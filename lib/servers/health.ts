import type { SignIn } from "../oauth/sign-in.ts";
import { scrubText } from "../redact/text.ts";
import type { ConnectionStatus, Health, HealthAction } from "../shape/server.ts";

/** What a server's health is read from. */
export interface HealthFacts {
  readonly enabled: boolean;
  readonly quarantined: boolean;
  /** Not started until an administrator confirms its definition. */
  readonly held?: boolean;
  /** Absent while nothing is known yet, right after a start or an addition. */
  readonly status?: ConnectionStatus;
  /** How the sign-in at it stands, what time it is, and how long before its end that is told. */
  readonly signIn?: SignIn & { readonly now: number; readonly warnMs: number };
  /** How many tools it lists, and how many of them wait for a person. */
  readonly tools: number;
  readonly pending: number;
  readonly changed: number;
}

/**
 * How a server is, and the one thing to do about it; the first row that fits (spec 000 §2.4).
 *
 * Waiting tools never make a server unwell: they set `action: "approve"` when nothing is more pressing. A server that
 * tries again after a failure stays degraded until it is back, so that its state does not flicker with each attempt.
 * `detail` and `summary` hold no credentials.
 */
export function health(facts: HealthFacts): Health {
  const { enabled, quarantined, held, status } = facts;
  if (!enabled) return { level: "healthy", admin_state: "disabled", summary: "Disabled", action: "enable" };
  if (held) return HELD;
  if (quarantined)
    return { level: "healthy", admin_state: "quarantined", summary: "Quarantined for review", action: "approve" };
  if (!status) return CONNECTING;
  if (status.missingSecret !== undefined && status.state !== "Ready")
    return sick("unhealthy", "Missing secret", status.missingSecret, "set_secret");
  switch (status.state) {
    case "Ready":
      return ready(facts, status);
    case "Authenticating":
      return sick("degraded", "Waiting for the sign-in", "somebody is to sign in, in a browser", "login");
    case "Connecting":
      return status.lastError === undefined ? CONNECTING : reconnecting(status.lastError);
    case "Disconnected":
      return isUntried(status) ? CONNECTING : failed(facts, status);
    case "Error":
      return failed(facts, status);
  }
}

const HELD: Health = {
  level: "healthy",
  admin_state: "quarantined",
  summary: "Held: not started until an administrator confirms it",
  detail: "it was added or changed over MCP",
  action: "approve",
};

/** Nothing was tried yet: a server on its way, not a failed one. */
export function isUntried(status: ConnectionStatus): boolean {
  const { state, attempts, connectedAt, lastError, authRequired } = status;
  const heardOf = connectedAt !== undefined || lastError !== undefined || authRequired === true;
  return state === "Disconnected" && attempts === 0 && !heardOf;
}

const CONNECTING: Health = { level: "healthy", admin_state: "enabled", summary: "Connecting...", action: "" };

function ready({ tools, pending, changed, signIn }: HealthFacts, status: ConnectionStatus): Health {
  if (status.authRequired)
    return sick("degraded", "Sign-in required", "a tool call was refused until somebody signs in", "login");
  const trouble = signIn && troubleOf(signIn);
  if (trouble) return trouble;
  const waiting = [pending > 0 && `${pending} pending`, changed > 0 && `${changed} changed`].filter(Boolean);
  return {
    level: "healthy",
    admin_state: "enabled",
    summary: tools === 0 ? "Connected" : `Connected (${tools} ${tools === 1 ? "tool" : "tools"})`,
    ...(waiting.length > 0 && { detail: `waiting for approval: ${waiting.join(", ")}` }),
    action: waiting.length > 0 ? "approve" : "",
  };
}

/** What will be a trouble, while the connection still works. (reference 5.1, rows 14, 16 and 17) */
function troubleOf({
  renewable,
  obtainedAt,
  expiresAt,
  retry,
  ended,
  needs,
  now,
  warnMs,
}: NonNullable<HealthFacts["signIn"]>) {
  if (needs)
    return sick("degraded", "Wider permission needed", `a request lacked the scope ${needs.join(" ")}`.trim(), "login");
  if (ended !== undefined) return sick("degraded", "Sign-in ends", ended, "login");
  if (retry) return sick("degraded", "Token refresh pending", retry.reason, "view_logs");
  if (renewable || expiresAt === undefined) return undefined;
  // A token that lives for an hour is not at its end from the beginning.
  const soonMs = Math.min(warnMs, (expiresAt - (obtainedAt ?? now)) / 4 || warnMs);
  if (expiresAt - now > soonMs) return undefined;
  const minutes = Math.max(0, Math.round((expiresAt - now) / 60_000));
  return sick("degraded", `Token expiring in ${minutes}m`, "nothing was given to renew it with", "login");
}

function reconnecting(lastError: string): Health {
  return sick("degraded", `Reconnecting: ${summarise(lastError)}`, lastError, "view_logs");
}

function failed({ signIn }: HealthFacts, status: ConnectionStatus): Health {
  const error = status.lastError ?? "";
  if (isOAuthConfiguration(error)) return sick("unhealthy", "OAuth configuration error", error, "configure");
  if (status.authRequired && signIn) {
    const { state, ended, failure } = signIn;
    if (state === "signed_out") return sick("unhealthy", "Logged out", "somebody signed out of it", "login");
    if (ended !== undefined) return sick("unhealthy", "Sign-in expired", ended, "login");
    if (failure) return sick("unhealthy", "Sign-in failed", `${failure.reason}; ${failure.suggestion}`, "login");
  }
  if (status.authRequired) return sick("degraded", "Sign-in required", error, "login");
  if (isOAuth(error)) return sick("unhealthy", "Authentication required", error, "login");
  return sick("unhealthy", summarise(error), error, "restart");
}

function sick(level: Health["level"], summary: string, detail: string | undefined, action: HealthAction): Health {
  return { level, admin_state: "enabled", summary, ...(detail && { detail: scrubText(detail) }), action };
}

/** `[what the error says, in any case; what to show for it]`; the first that fits. */
const SUMMARIES: readonly (readonly [RegExp, string])[] = [
  // Before the reason that follows it in brackets.
  [/no container engine/i, "No container engine"],
  [/no such host|enotfound|eai_again/i, "Host not found"],
  [/connection refused|econnrefused/i, "Connection refused"],
  [/connection reset|econnreset/i, "Connection reset"],
  [/timeout|timed out|etimedout/i, "Connection timeout"],
  [/eof|socket hang up|other side closed/i, "Connection closed"],
  [/enoent/i, "Command not found"],
  [/eacces/i, "Command not executable"],
  [/authentication failed/i, "Authentication failed"],
  [/unauthorized/i, "Unauthorized"],
  [/forbidden/i, "Access forbidden"],
  [/oauth/i, "OAuth error"],
  [/certificate/i, "Certificate error"],
  [/dial tcp|ehostunreach|enetunreach/i, "Cannot connect"],
];

/** Longest summary made of the error's own words (characters). */
const SUMMARY_MAX = 50;

/** A few words for an error: those of the table, else its own beginning. */
export function summarise(error: string): string {
  const known = SUMMARIES.find(([said]) => said.test(error));
  if (known) return known[1];
  const text = scrubText(error).replace(/\s+/g, " ").trim();
  if (text === "") return "Disconnected";
  const characters = [...text];
  return characters.length > SUMMARY_MAX ? `${characters.slice(0, SUMMARY_MAX - 3).join("")}...` : text;
}

const OAUTH =
  /oauth|authentication required|authentication strategies failed|unauthorized|login required|token expired|invalid_grant|access_denied/i;
const NETWORK =
  /refused|reset|no such host|unreachable|dial tcp|i\/o timeout|deadline exceeded|no route|econn|enotfound|etimedout/i;

/** An error about signing in, not about the way there. */
function isOAuth(error: string): boolean {
  return OAUTH.test(error) && !NETWORK.test(error);
}

/** Only a person who edits the configuration can mend these. */
function isOAuthConfiguration(error: string): boolean {
  return /oauth/i.test(error) && /resource parameter|client_id (?:is )?required|oauth config/i.test(error);
}
