import type { App } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import type { Actor } from "../schema/caller.ts";
import type { JsonObject } from "../schema/mcp.ts";

/** Writes down whether a call may be made, where an audit trail is kept. @param reason why not */
export function decided(
  app: App,
  by: Actor,
  { server, tool, request }: { server: string; tool: string; request: { args: JsonObject } },
  reason?: string,
  disclosed = true,
): void {
  const trail = app.part(auditTrail);
  if (!trail.isKept) return;
  trail.decided(by, {
    surface: "call",
    operation: "tools/call",
    decision: reason === undefined ? "allow" : "deny",
    server,
    tool,
    args: request.args,
    ...(reason !== undefined && { reason, disclosed }),
  });
}
