import { part } from "../app.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import type { Actor } from "../schema/caller.ts";

/** An authorization decision. */
export interface AuditDecision {
  surface: "rest" | "mcp" | "call";
  /** `tools/call`, or a route in the form that the reference prescribes. */
  operation: string;
  decision: "allow" | "deny";
  /** Why the operation was denied: a code of the error reference. */
  reason?: string;
  server?: string;
  tool?: string;
  /** The requested path. */
  target?: string;
  /** The arguments; only their hash is written. */
  args?: unknown;
  /** False if the response to the caller is "not found" instead of the reason. */
  disclosed?: boolean;
}

/** A sign-in or sign-out of a user. */
export interface SignInEvent {
  surface: "login" | "logout";
  outcome: "success" | "failure";
  /** Why the sign-in was denied: a code of the error reference. */
  reason?: string;
  requestId: string;
  clientIp?: string | undefined;
  /** Id of the passkey with which the administrator signed in. */
  passkey?: string | undefined;
  /** The user, once known; absent for a sign-in with the API key. */
  user?: { id: string; email: string } | undefined;
}

/** The audit log of decisions, calls and sign-ins. Its methods neither throw nor wait. */
export interface AuditTrail {
  /** False if there is no audit log, so that callers need not prepare entries for it. */
  readonly isKept: boolean;
  recordDecision(by: Actor, decision: AuditDecision): void;
  /** Writes an entry if the activity record matters to auditors: calls and changes. */
  recordActivity(by: Actor, record: ActivityRecord): void;
  recordSignIn(event: SignInEvent): void;
}

/** Does nothing until a module provides an audit log. */
export const auditTrail = part<AuditTrail>("auditTrail", () => ({
  isKept: false,
  recordDecision() {},
  recordActivity() {},
  recordSignIn() {},
}));
