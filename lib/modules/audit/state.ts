import { part } from "../../core/app.ts";
import type { Audit } from "./audit.ts";
import { openAudit } from "./open.ts";

/** The audit log, as it was configured at the start. */
export const auditLog = part<Audit>(
  "audit",
  ({ config, clock, log, boot }) => openAudit({ config, clock, log, worker: boot.worker, stdout: boot.auditTo }),
  (trail) => trail.close(),
);
