import { part } from "../app.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import type { Actor } from "../schema/caller.ts";

/** An authorization decision. */
export interface AuditDecision {
  surface: "rest" | "mcp" | "call";
  /** `tools/call`, or a route as in the reference. */
  operation: string;
  decision: "allow" | "deny";
  /** Why not: a code of the error reference. */
  reason?: string;
  server?: string;
  tool?: string;
  /** The requested path. */
  target?: string;
  /** Only their hash is written. */
  args?: unknown;
  /** False if the caller gets "not found" instead. */
  disclosed?: boolean;
}

/** A sign-in or sign-out of a user. */
export interface SignInEvent {
  surface: "login" | "logout";
  outcome: "success" | "failure";
  /** Why not: a code of the error reference. */
  reason?: string;
  requestId: string;
  clientIp?: string | undefined;
  /** The user, once known; absent for a sign-in with the API key. */
  user?: { id: string; email: string } | undefined;
}

/** The audit log of decisions, calls and sign-ins. Its methods neither throw nor wait. */
export interface AuditTrail {
  /** False if no audit log is kept, so that callers need not gather its entries. */
  readonly isKept: boolean;
  recordDecision(by: Actor, decision: AuditDecision): void;
  /** Writes the activity records that matter to auditors: calls and changes. */
  recordActivity(by: Actor, record: ActivityRecord): void;
  recordSignIn(event: SignInEvent): void;
}

/** No trail, until a module provides one. */
export const auditTrail = part<AuditTrail>("auditTrail", () => ({
  isKept: false,
  recordDecision() {},
  recordActivity() {},
  recordSignIn() {},
}));
