import type { ConnectionStatus, ErrorClass, Health, HealthAction } from "../schema/connection-status.ts";
import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import { scrubText } from "../secrets/mask/text.ts";

/** What a server's health is read from. */
export interface HealthFacts {
  readonly enabled: boolean;
  readonly quarantined: boolean;
  /** Not started until an administrator confirms its definition. */
  readonly held?: boolean;
  /** Absent while nothing is known yet, right after a start or an addition. */
  readonly status?: ConnectionStatus;
  /** How the sign-in at it stands, what time it is, and how long before its end that is told. */
  readonly signIn?: UpstreamSignIn & { readonly now: number; readonly warnMs: number };
  /** How many tools it lists, and how many of them wait for a person. */
  readonly tools: number;
  readonly pending: number;
  readonly changed: number;
}

/**
 * How a server is, and the one thing to do about it; the first row that fits (spec 000 §2.4).
 *
 * An error comes before the quarantine: a server that does not work cannot be reviewed, so that its level, summary and
 * action are those of the error while `admin_state` stays `quarantined`. A release is proposed only for a server that
 * lists tools.
 *
 * Waiting tools never make a server unhealthy: they set `action: "approve"` when nothing is more pressing. A server that
 * tries again after a failure keeps its level until it is back, so that its state does not flicker with each attempt.
 * `detail` and `summary` hold no credentials.
 */
export function serverHealth(facts: HealthFacts): Health {
  if (!facts.enabled) return { level: "healthy", admin_state: "disabled", summary: "Disabled", action: "enable" };
  if (facts.held) return HELD;
  if (!facts.quarantined) return whileEnabled(facts);
  const found = whileEnabled(facts);
  if (found.level !== "healthy") return { ...found, admin_state: "quarantined" };
  if (facts.tools > 0) return { ...QUARANTINED, action: "approve" };
  if (facts.status?.state !== "Ready") return { ...found, admin_state: "quarantined" };
  const listed = facts.status.listing?.listed !== false;
  return { ...QUARANTINED, detail: listed ? "it lists no tools, so there is nothing to review" : "listing its tools" };
}

const QUARANTINED = {
  level: "healthy",
  admin_state: "quarantined",
  summary: "Quarantined for review",
  action: "",
} as const satisfies Health;

/** The health of an enabled server, as if it were not quarantined. */
function whileEnabled(facts: HealthFacts): Health {
  const { status } = facts;
  if (!status) return CONNECTING;
  if (status.missingSecret !== undefined && status.state !== "Ready")
    return unwell("unhealthy", "Missing secret", status.missingSecret, "set_secret");
  switch (status.state) {
    case "Ready":
      return ready(facts, status);
    case "Authenticating":
      return unwell("degraded", "Waiting for the sign-in", "somebody is to sign in, in a browser", "login");
    case "Connecting":
      return status.lastError === undefined ? CONNECTING : reconnecting(facts, status, status.lastError);
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
  if (status.authRequired) return unauthenticated(signIn);
  if (status.listing?.error !== undefined) return unlisted(tools, status.listing.error);
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

/** The connection stands, but calls over it are refused until somebody signs in (reference 5.1, rows 10, 12, 13, 17). */
function unauthenticated(signIn: HealthFacts["signIn"]): Health {
  if (signIn?.state === "expired")
    return unwell("unhealthy", "Token expired", signIn.ended ?? "nothing was given to renew it with", "login");
  if (signIn?.state === "failed" && signIn.failure)
    return unwell("unhealthy", "Sign-in failed", `${signIn.failure.reason}; ${signIn.failure.suggestion}`, "login");
  return unwell("degraded", "Sign-in required", "a tool call was refused until somebody signs in", "login");
}

/** The tools that are known from an earlier listing can still be called; without any the server is of no use. */
function unlisted(tools: number, error: string): Health {
  const summary = cut(`Tool listing failed: ${oneLine(error)}`);
  return unwell(tools > 0 ? "degraded" : "unhealthy", summary, `Tool listing failed: ${error}`, "view_logs");
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
    return unwell(
      "degraded",
      "Wider permission needed",
      `a request lacked the scope ${needs.join(" ")}`.trim(),
      "login",
    );
  if (ended !== undefined) return unwell("degraded", "Sign-in ends", ended, "login");
  if (retry) return unwell("degraded", "Token refresh pending", retry.reason, "view_logs");
  if (renewable || expiresAt === undefined) return undefined;
  // A token that lives for an hour is not at its end from the beginning.
  const soonMs = Math.min(warnMs, (expiresAt - (obtainedAt ?? now)) / 4 || warnMs);
  if (expiresAt - now > soonMs) return undefined;
  const minutes = Math.max(0, Math.round((expiresAt - now) / 60_000));
  return unwell("degraded", `Token expiring in ${minutes}m`, "nothing was given to renew it with", "login");
}

/** A lost connection is degraded at first; after a failed attempt the level is that of the failure, also during the next. */
function reconnecting(facts: HealthFacts, status: ConnectionStatus, lastError: string): Health {
  const level = status.attempts > 0 ? failed(facts, status).level : "degraded";
  return unwell(level, `Reconnecting: ${summariseError(lastError, status.errorClass)}`, lastError, "view_logs");
}

function failed({ signIn }: HealthFacts, status: ConnectionStatus): Health {
  const error = status.lastError ?? "";
  if (isOAuthConfiguration(error)) return unwell("unhealthy", "OAuth configuration error", error, "configure");
  if (status.authRequired && signIn) {
    const { state, ended, failure } = signIn;
    if (state === "signed_out") return unwell("unhealthy", "Logged out", "somebody signed out of it", "login");
    if (ended !== undefined) return unwell("unhealthy", "Sign-in expired", ended, "login");
    if (failure) return unwell("unhealthy", "Sign-in failed", `${failure.reason}; ${failure.suggestion}`, "login");
  }
  if (status.authRequired) return unwell("degraded", "Sign-in required", error, "login");
  if (isOAuth(error)) return unwell("unhealthy", "Authentication required", error, "login");
  const { summary, action } = classify(error, status.errorClass);
  return unwell("unhealthy", summary, error, action);
}

function unwell(level: Health["level"], summary: string, detail: string | undefined, action: HealthAction): Health {
  return { level, admin_state: "enabled", summary, ...(detail && { detail: scrubText(detail) }), action };
}

/**
 * `[what the error says, in any case; what to show for it; what helps]`; the first that fits. The proxy tries again by
 * itself, so connecting again is proposed only where the cause may be gone. A definition that is wrong stays wrong.
 */
const ERRORS: readonly (readonly [RegExp, string, HealthAction])[] = [
  // Before the reason that follows it in brackets.
  [/no container engine/i, "No container engine", "restart"],
  [/enotfound|eai_again/i, "Host not found", "configure"],
  [/connection refused|econnrefused/i, "Connection refused", "restart"],
  [/connection reset|econnreset/i, "Connection reset", "restart"],
  [/timeout|timed out|etimedout|did not respond within/i, "Connection timeout", "restart"],
  [/eof|socket hang up|other side closed/i, "Connection closed", "restart"],
  [/enoent|^command ".*": not found/i, "Command not found", "configure"],
  [/^working_dir .* is not a folder/i, "", "configure"],
  [/eacces/i, "Command not executable", "configure"],
  [/authentication failed/i, "Authentication failed", "configure"],
  [/unauthorized/i, "Unauthorized", "configure"],
  [/forbidden/i, "Access forbidden", "configure"],
  [/oauth/i, "OAuth error", "configure"],
  [/certificate/i, "Certificate error", "configure"],
  [/ehostunreach|enetunreach/i, "Cannot connect", "restart"],
];

/** Longest summary made of the error's own words (characters). */
const MAX_SUMMARY = 50;

/** A few words for an error: those of the table, else its own beginning. */
export function summariseError(error: string, errorClass?: ErrorClass): string {
  return classify(error, errorClass).summary;
}

function classify(error: string, errorClass: ErrorClass | undefined): { summary: string; action: HealthAction } {
  // The last lines of a process may say anything; that it ended is the error.
  const isEnded = errorClass === "process_exited";
  const [, known = "", action] = (!isEnded && ERRORS.find(([said]) => said.test(error))) || [];
  const text = oneLine(error);
  const summary = known || (text === "" ? "Disconnected" : cut(text));
  return { summary, action: action ?? (text === "" ? "restart" : "view_logs") };
}

const oneLine = (error: string): string => scrubText(error).replace(/\s+/g, " ").trim();

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SUMMARY ? `${characters.slice(0, MAX_SUMMARY - 3).join("")}...` : text;
}

const OAUTH =
  /oauth|authentication required|authentication strategies failed|unauthorized|login required|token expired|invalid_grant|access_denied/i;
const NETWORK = /refused|reset|unreachable|no route|econn|enotfound|etimedout/i;

/** An error about signing in, not about the way there. */
function isOAuth(error: string): boolean {
  return OAUTH.test(error) && !NETWORK.test(error);
}

/** Only a person who edits the configuration can mend these. */
function isOAuthConfiguration(error: string): boolean {
  return /oauth/i.test(error) && /resource parameter|client_id (?:is )?required|oauth config/i.test(error);
}
