import { authz } from "../../modules/audit/entries.ts";
import type { App } from "../app.ts";
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
  if (app.audit.sink === "none") return;
  app.audit.write(
    authz(by, {
      surface: "call",
      operation: "tools/call",
      decision: reason === undefined ? "allow" : "deny",
      server,
      tool,
      args: request.args,
      ...(reason !== undefined && { reason, disclosed }),
    }),
  );
}
