import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of signing in to upstream servers. */
export const faults = defineFaults({
  client_id_required: { status: 400, text: signIn },
  code_flow_failed: { status: 400, text: signIn },
  dcr_failed: { status: 400, text: signIn },
  metadata_discovery_failed: { status: 400, text: signIn },
  oauth_not_supported: { status: 400, text: signIn },
});

/** A failed sign-in at an upstream server (spec 000 §7). */
function signIn(p: {
  server: string;
  correlationId: string;
  reason: string;
  suggestion: string;
  details: object;
}): string {
  return `${p.reason}; ${p.suggestion}`;
}
