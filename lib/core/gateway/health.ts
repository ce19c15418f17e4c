import { plural } from "../base/plural.ts";
import type { ConnectionStatus, FailureCause, Health, HealthAction } from "../schema/connection-status.ts";
import type { UpstreamSignIn } from "../schema/upstream-sign-in.ts";
import { scrubText } from "../secrets/mask/text.ts";

/** The facts from which the health of a server is derived. */
export interface HealthFacts {
  readonly enabled: boolean;
  readonly quarantined: boolean;
  /** True if the server is not started until an administrator confirms its definition. */
  readonly held?: boolean;
  /** Absent before the first connection attempt, directly after a start or after the server was added. */
  readonly status?: ConnectionStatus;
  /** The state of the sign-in, the current time, and how long before its expiry to warn. (ms) */
  readonly signIn?: UpstreamSignIn & { readonly now: number; readonly warnMs: number };
  /**
   * Whether a person can sign in to the server: `configured` if its entry says so, `possible` if it is a remote server
   * without credentials in its entry. Absent: a sign-in of a person would not help.
   */
  readonly signInOption?: "configured" | "possible";
  /** The number of listed tools, and how many of them wait for a decision. */
  readonly tools: number;
  readonly pending: number;
  readonly changed: number;
  /** The numbers of listed prompts, resources and templates, and of those that wait for a decision. Absent: none. */
  readonly items?: { readonly listed: number; readonly waiting: number };
}

/**
 * Returns the health of a server and the one action to take; the first matching rule counts (spec 000 §2.4).
 *
 * An error takes precedence over the quarantine, because a server that does not work cannot be reviewed: level, summary
 * and action are those of the error, while `admin_state` stays `quarantined`. A release is proposed only for a server
 * that lists something.
 *
 * A failed listing of prompts and resources has the lowest precedence: the tools still work, and those of a quarantined
 * server can still be reviewed. Waiting tools and other items never make a server unhealthy; they set `action:
 * "approve"` if no other action is needed. While the proxy retries after a failure, the level stays, so that it does
 * not change with each attempt. `detail` and `summary` contain no credentials.
 */
export function serverHealth(facts: HealthFacts): Health {
  if (!facts.enabled) return { level: "healthy", admin_state: "disabled", summary: "Disabled", action: "enable" };
  if (facts.held) return HELD;
  const found = whileEnabled(facts);
  const missing = facts.status?.state === "Ready" ? facts.status.itemsError : undefined;
  if (!facts.quarantined) return found.level === "healthy" && missing !== undefined ? withoutItems(missing) : found;
  if (found.level !== "healthy") return { ...found, admin_state: "quarantined" };
  if (facts.tools > 0 || (facts.items?.listed ?? 0) > 0)
    return {
      ...QUARANTINED,
      ...(missing !== undefined && { detail: withoutItems(missing).detail }),
      action: "approve",
    };
  if (missing !== undefined) return { ...withoutItems(missing), admin_state: "quarantined" };
  if (facts.status?.state !== "Ready") return { ...found, admin_state: "quarantined" };
  return { ...QUARANTINED, detail: nothingToReview(facts, facts.status) };
}

const QUARANTINED = {
  level: "healthy",
  admin_state: "quarantined",
  summary: "Quarantined for review",
  action: "",
} as const satisfies Health;

function nothingToReview({ signInOption, signIn }: HealthFacts, { listing }: ConnectionStatus): string {
  if (listing?.listed === false) return "listing its tools";
  const nothing = "it lists no tools, so there is nothing to review";
  return signInOption === "possible" && signIn?.state === "none" ? `${nothing}; ${AFTER_SIGN_IN}` : nothing;
}

/** Returns the health of an enabled server as if it were not quarantined. */
function whileEnabled(facts: HealthFacts): Health {
  const { status } = facts;
  if (!status) return CONNECTING;
  if (status.missingSecret !== undefined && status.state !== "Ready")
    return unwell("unhealthy", "Missing secret", status.missingSecret, "set_secret");
  switch (status.state) {
    case "Ready":
      return ready(facts, status);
    case "Authenticating":
      return WAITING_FOR_SIGN_IN;
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

/** True before the first attempt has ended: the server is starting and has not failed. */
export function isUntried(status: ConnectionStatus): boolean {
  const { state, attempts, connectedAt, lastError, authRequired } = status;
  const heardOf = connectedAt !== undefined || lastError !== undefined || authRequired === true;
  return state === "Disconnected" && attempts === 0 && !heardOf;
}

const WAITING_FOR_SIGN_IN: Health = {
  level: "degraded",
  admin_state: "enabled",
  summary: "Waiting for the sign-in",
  detail: "a user must sign in, in a browser",
  action: "login",
};

const CONNECTING: Health = { level: "healthy", admin_state: "enabled", summary: "Connecting...", action: "" };

function ready(facts: HealthFacts, status: ConnectionStatus): Health {
  const { tools, pending, changed, items, signIn } = facts;
  if (status.authRequired) return unauthenticated(signIn);
  if (status.listing?.error !== undefined) return unlisted(tools, status.listing.error);
  const trouble = (signIn && troubleOf(signIn)) ?? withoutSignIn(facts, status);
  if (trouble) return trouble;
  const others = items?.waiting ?? 0;
  const waiting = [
    pending > 0 && `${pending} pending`,
    changed > 0 && `${changed} changed`,
    others > 0 && plural(others, "prompt or resource", "prompts and resources"),
  ].filter(Boolean);
  const detail = waiting.length > 0 ? `waiting for approval: ${waiting.join(", ")}` : emptyDetail(facts, status);
  return {
    level: "healthy",
    admin_state: "enabled",
    summary: tools === 0 ? "Connected" : `Connected (${tools} ${tools === 1 ? "tool" : "tools"})`,
    ...(detail !== undefined && { detail }),
    action: waiting.length > 0 ? "approve" : "",
  };
}

/** The health of a connected server that rejects calls until somebody signs in (reference 5.1, rows 10, 12, 13, 17). */
function unauthenticated(signIn: HealthFacts["signIn"]): Health {
  if (signIn?.state === "expired")
    return unwell("unhealthy", "Token expired", signIn.ended ?? "there is no refresh token to renew it", "login");
  if (signIn?.state === "failed" && signIn.failure)
    return unwell("unhealthy", "Sign-in failed", `${signIn.failure.reason}; ${signIn.failure.suggestion}`, "login");
  return unwell("degraded", "Sign-in required", "a tool call was rejected because nobody is signed in", "login");
}

/**
 * The health of a connected server at which nobody is signed in, if that is known to be a problem (reference 5.1, rows
 * 10 and 15): it rejected a request, or it lists nothing although its entry says that people sign in. A server that
 * lists tools for everybody needs no sign-in until it rejects a call.
 */
function withoutSignIn(facts: HealthFacts, status: ConnectionStatus): Health | undefined {
  const { signIn, signInOption } = facts;
  const { signInRejectedAt: rejectedAt } = status;
  if (signInOption === undefined) return undefined;
  const isRejected = rejectedAt !== undefined && rejectedAt > (signIn?.obtainedAt ?? 0);
  const isUnsigned = signIn?.state === "none" || signIn?.state === "pending";
  const isLacking = isUnsigned && signInOption === "configured" && listsNothing(facts, status);
  if (!isRejected && !isLacking) return undefined;
  if (signIn?.state === "pending") return WAITING_FOR_SIGN_IN;
  const reason = isRejected
    ? "it rejected a request, because it requires a sign-in"
    : "it lists nothing until somebody signs in";
  return unwell("degraded", "Sign-in required", reason, "login");
}

/** True if a connected server was asked for everything and lists nothing. */
function listsNothing({ tools, items }: HealthFacts, { listing }: ConnectionStatus): boolean {
  return tools === 0 && (items?.listed ?? 0) === 0 && listing?.listed === true;
}

/** Says of a healthy server that it lists nothing, and what may help. */
function emptyDetail(facts: HealthFacts, status: ConnectionStatus): string | undefined {
  if (!listsNothing(facts, status)) return undefined;
  const mayHelp = facts.signInOption === "possible" && facts.signIn?.state === "none";
  return mayHelp ? `it lists nothing; ${AFTER_SIGN_IN}` : "it lists nothing";
}

const AFTER_SIGN_IN = "some servers list their tools only after a sign-in";

/**
 * The health after a failed tool listing: degraded if tools of an earlier listing can be called, otherwise unhealthy.
 */
function unlisted(tools: number, error: string): Health {
  const summary = cut(`Tool listing failed: ${oneLine(error)}`);
  return unwell(tools > 0 ? "degraded" : "unhealthy", summary, `Tool listing failed: ${error}`, "view_logs");
}

/** The summary for a server whose tools work but whose prompts, resources and templates may be out of date. */
export const ITEMS_UNLISTED = "Listing of prompts and resources failed";

function withoutItems(error: string) {
  return {
    ...unwell("degraded", ITEMS_UNLISTED, undefined, "view_logs"),
    detail: scrubText(`${ITEMS_UNLISTED}: ${error}`),
  };
}

/** Returns the warning about a connection that still works, if any. (reference 5.1, rows 14, 16 and 17) */
function troubleOf({
  state,
  failure,
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
  if (state === "failed" && failure)
    return unwell("degraded", "Sign-in failed", `${failure.reason}; ${failure.suggestion}`, "login");
  if (ended !== undefined) return unwell("degraded", "Sign-in ends", ended, "login");
  if (retry) return unwell("degraded", "Token refresh pending", retry.reason, "view_logs");
  if (renewable || expiresAt === undefined) return undefined;
  // The warning comes at most a quarter of the token's lifetime before its expiry; otherwise a short-lived token would
  // count as expiring from the start.
  const soonMs = Math.min(warnMs, (expiresAt - (obtainedAt ?? now)) / 4 || warnMs);
  if (expiresAt - now > soonMs) return undefined;
  const minutes = Math.max(0, Math.round((expiresAt - now) / 60_000));
  return unwell("degraded", `Token expiring in ${minutes}m`, "there is no refresh token to renew it", "login");
}

/**
 * The health while reconnecting: degraded after the loss of the connection; after a failed attempt the level of that
 * failure, also during the next attempt.
 */
function reconnecting(facts: HealthFacts, status: ConnectionStatus, lastError: string): Health {
  const level = status.attempts > 0 ? failed(facts, status).level : "degraded";
  return unwell(
    level,
    `Reconnecting: ${summariseFailure(lastError, status.failureCause).summary}`,
    lastError,
    "view_logs",
  );
}

function failed({ signIn }: HealthFacts, status: ConnectionStatus): Health {
  const { lastError: error = "", failureCause: cause } = status;
  const { summary, action } = summariseFailure(error, cause);
  // If the configuration of the sign-in is wrong, a sign-in cannot succeed, so another action is proposed.
  if (!status.authRequired || cause === "oauth_configuration") return unwell("unhealthy", summary, error, action);
  if (signIn) {
    const { state, ended, failure } = signIn;
    if (state === "signed_out") return unwell("unhealthy", "Logged out", "a user signed out", "login");
    if (ended !== undefined) return unwell("unhealthy", "Sign-in expired", ended, "login");
    if (failure) return unwell("unhealthy", "Sign-in failed", `${failure.reason}; ${failure.suggestion}`, "login");
  }
  return unwell("degraded", "Sign-in required", error, "login");
}

function unwell(level: Health["level"], summary: string, detail: string | undefined, action: HealthAction): Health {
  return { level, admin_state: "enabled", summary, ...(detail && { detail: scrubText(detail) }), action };
}

/**
 * The summary of each cause, and the action. The proxy retries by itself, so `restart` is proposed only if the cause
 * may be gone; an invalid definition stays invalid. If the summary is empty, the beginning of the error is used.
 */
const FAILURES: Readonly<Record<FailureCause, readonly [summary: string, action: HealthAction]>> = {
  no_container_engine: ["No container engine", "restart"],
  host_not_found: ["Host not found", "configure"],
  connection_refused: ["Connection refused", "restart"],
  connection_reset: ["Connection reset", "restart"],
  connection_timeout: ["Connection timeout", "restart"],
  connection_closed: ["Connection closed", "restart"],
  command_not_found: ["Command not found", "configure"],
  no_working_dir: ["", "configure"],
  command_not_executable: ["Command not executable", "configure"],
  authentication_failed: ["Authentication failed", "configure"],
  unauthorized: ["Unauthorized", "configure"],
  forbidden: ["Access forbidden", "configure"],
  oauth_configuration: ["OAuth configuration error", "configure"],
  oauth_error: ["OAuth error", "configure"],
  sign_in_needed: ["Authentication required", "login"],
  certificate: ["Certificate error", "configure"],
  host_unreachable: ["Cannot connect", "restart"],
};

/** Maximum length of a summary that consists of an error's own words (characters). */
const MAX_SUMMARY = 50;

/** Returns a short summary of a failure and the action; without a known cause, the beginning of the error. */
function summariseFailure(error: string, cause: FailureCause | undefined): { summary: string; action: HealthAction } {
  const [summaryText, action] = cause ? FAILURES[cause] : [""];
  const text = oneLine(error);
  const summary = summaryText || (text === "" ? "Disconnected" : cut(text));
  return { summary, action: action ?? (text === "" ? "restart" : "view_logs") };
}

const oneLine = (error: string): string => scrubText(error).replace(/\s+/g, " ").trim();

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_SUMMARY ? `${characters.slice(0, MAX_SUMMARY - 3).join("")}...` : text;
}
