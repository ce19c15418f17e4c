import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { auditLog } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const auditChecks: readonly DoctorCheck[] = [{ name: "audit", area: "audit", run: trailFindings }];

/** Reports an enabled audit log that cannot be written. */
function trailFindings(app: App): DoctorFinding[] {
  const trail = app.part(auditLog);
  const { failing, waiting, lost } = trail.status();
  if (failing === undefined && lost === 0) return [];
  return [
    {
      code: "audit_failing",
      severity: "error",
      title:
        failing === undefined
          ? `${lost} line(s) of the audit log were dropped`
          : `The audit log cannot be written: ${failing}`,
      detail: `${waiting} line(s) wait to be written, ${lost} were dropped. Calls continue.`,
      remedy: {
        action: `Free disk space or permit writing at ${trail.path ?? "standard output"}; the proxy keeps trying`,
      },
    },
  ];
}
