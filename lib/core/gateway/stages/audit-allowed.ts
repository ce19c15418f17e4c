import { auditDecision } from "../audit-decision.ts";
import type { GatewayCall } from "./stage.ts";

/** Writes to the audit log that the call is allowed. */
export function auditAllowed(call: GatewayCall): void {
  auditDecision(call.app, call.by, call);
}
