import { auditDecision } from "../audit-decision.ts";
import type { Call } from "./stage.ts";

/** Writes into the audit trail that the call is allowed. */
export function auditAllowed(call: Call): void {
  auditDecision(call.app, call.by, call);
}
