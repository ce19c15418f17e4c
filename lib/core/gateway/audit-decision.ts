import type { App } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import type { Actor } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";

interface AuditedCall {
  readonly server: string;
  readonly tool: string;
  readonly request: { readonly args: McpObject };
  /** Absent if a tool is called. */
  readonly item?: { readonly method: string } | undefined;
}

/** Writes to the audit log, if there is one, whether a call is allowed. @param reason why the call is denied */
export function auditDecision(
  app: App,
  by: Actor,
  { server, tool, request, item }: AuditedCall,
  reason?: string,
  disclosed = true,
): void {
  const trail = app.part(auditTrail);
  if (!trail.isKept) return;
  trail.recordDecision(by, {
    surface: "call",
    operation: item?.method ?? "tools/call",
    decision: reason === undefined ? "allow" : "deny",
    server,
    tool,
    args: request.args,
    ...(reason !== undefined && { reason, disclosed }),
  });
}
