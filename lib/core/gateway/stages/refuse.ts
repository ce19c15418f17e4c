import type { Fault } from "../../base/fault.ts";
import type { SensitiveFinding } from "../../schema/sensitive-finding.ts";
import { auditDecision } from "../audit-decision.ts";
import { recordBlockedCall } from "../record-blocked-call.ts";
import type { GatewayCall } from "./stage.ts";

/** Records that a call is rejected before anything is sent. @returns the fault to throw */
export function refuseCall(
  { app, by, server, tool, request, item }: GatewayCall,
  fault: Fault,
  found?: readonly SensitiveFinding[],
): Fault {
  const { code: reason, message: detail } = fault;
  auditDecision(app, by, { server, tool, request, item }, reason);
  recordBlockedCall(app, by, { server, tool, request, reason, detail, ...(found && { found }) });
  return fault;
}
