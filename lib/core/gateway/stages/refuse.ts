import type { Fault } from "../../base/fault.ts";
import type { Finding } from "../../schema/sensitive-finding.ts";
import { auditDecision } from "../audit-decision.ts";
import { recordBlocked } from "../record-blocked.ts";
import type { Call } from "./stage.ts";

/** Records that a call is refused before anything is sent. @returns the fault, to be thrown */
export function refuse({ app, by, server, tool, request }: Call, fault: Fault, found?: readonly Finding[]): Fault {
  const { code: reason, message: detail } = fault;
  auditDecision(app, by, { server, tool, request }, reason);
  recordBlocked(app, by, { server, tool, request, reason, detail, ...(found && { found }) });
  return fault;
}
