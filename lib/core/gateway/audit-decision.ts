import type { App } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import type { Actor } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";

/** Writes to the audit log, if one is kept, whether a call is allowed. @param reason of a denial */
export function auditDecision(
  app: App,
  by: Actor,
  { server, tool, request }: { server: string; tool: string; request: { args: McpObject } },
  reason?: string,
  disclosed = true,
): void {
  const trail = app.part(auditTrail);
  if (!trail.isKept) return;
  trail.recordDecision(by, {
    surface: "call",
    operation: "tools/call",
    decision: reason === undefined ? "allow" : "deny",
    server,
    tool,
    args: request.args,
    ...(reason !== undefined && { reason, disclosed }),
  });
}
