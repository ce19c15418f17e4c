import type { App } from "../../../core/app.ts";
import { auditLog } from "../../audit/state.ts";
import type { Finding } from "../finding.ts";

/** An audit trail that is wanted, and cannot be written. */
export function auditFindings(app: App): Finding[] {
  const trail = app.part(auditLog);
  const { failing, waiting, lost } = trail.status();
  if (failing === undefined && lost === 0) return [];
  return [
    {
      code: "audit_failing",
      severity: "error",
      title:
        failing === undefined
          ? `${lost} line(s) of the audit trail were given up`
          : `The audit trail cannot be written: ${failing}`,
      detail: `${waiting} line(s) wait to be written, ${lost} were given up. Calls go on meanwhile.`,
      remedy: {
        action: `Make room or permit writing at ${trail.path ?? "standard output"}; it is tried again by itself`,
      },
    },
  ];
}
