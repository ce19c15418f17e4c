import { part } from "../app.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import type { Actor } from "../schema/caller.ts";

/** A decision whether somebody may do something. */
export interface AuditDecision {
  surface: "rest" | "mcp" | "call";
  /** `tools/call`, or a route as the reference writes it. */
  operation: string;
  decision: "allow" | "deny";
  /** Why not: a code of the error reference. */
  reason?: string;
  server?: string;
  tool?: string;
  /** The path as it was asked for. */
  target?: string;
  /** Only the hash of them is written. */
  args?: unknown;
  /** False where the caller is told that the thing does not exist. */
  disclosed?: boolean;
}

/** A person who signs in or out. */
export interface SignInEvent {
  surface: "login" | "logout";
  outcome: "success" | "failure";
  /** Why not: a code of the error reference. */
  reason?: string;
  requestId: string;
  clientIp?: string | undefined;
  /** Who, once that is known; absent for whoever knows the administrator's key. */
  user?: { id: string; email: string } | undefined;
}

/** Where decisions, calls and sign-ins are written for auditors. Nothing here throws or waits. */
export interface AuditTrail {
  /** False: nothing is kept, and nobody needs to gather what would be written. */
  readonly isKept: boolean;
  recordDecision(by: Actor, decision: AuditDecision): void;
  /** Writes the records that somebody may be asked about: calls and changes. */
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
