import { auditDecision } from "../audit-decision.ts";
import type { GatewayCall } from "./stage.ts";

/** Writes into the audit trail that the call is allowed. */
export function auditAllowed(call: GatewayCall): void {
  auditDecision(call.app, call.by, call);
}
