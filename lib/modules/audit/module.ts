import type { AuditTrail } from "../../core/extension/audit-trail.ts";
import { auditTrail } from "../../core/extension/audit-trail.ts";
import { module, provide } from "../../core/extension/module.ts";
import type { Audit } from "./audit.ts";
import { auditChecks } from "./checks.ts";
import { config } from "./config.ts";
import { authEvent, authz, entryOf } from "./entries.ts";
import { faults } from "./faults.ts";
import { auditLog } from "./state.ts";

export default module("audit", {
  config,
  faults,
  doctorChecks: auditChecks,
  provides: [provide(auditTrail, (app) => trailOn(app.part(auditLog)))],
});

function trailOn(trail: Audit): AuditTrail {
  const isKept = trail.sink !== "none";
  return {
    isKept,
    recordDecision(by, decision) {
      if (isKept) trail.write(authz(by, decision));
    },
    recordActivity(by, record) {
      const line = isKept ? entryOf(by, record) : undefined;
      if (line) trail.write(line);
    },
    // Signing in is rare, and a sink of `none` drops the line itself.
    recordSignIn: (event) => trail.write(authEvent(event)),
  };
}
