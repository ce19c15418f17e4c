import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";

/**
 * The instructions that a connected server sends to models, with their scan. Severe findings in them block the approval
 * of all tools of the server until a person accepts them, so administrators see them beside the tools.
 *
 * @returns undefined for other callers, and while the server is not connected or has no instructions
 */
export function serverInstructions(
  app: Pick<App, "catalog" | "upstreams">,
  server: string,
  caller: Caller,
): { text: string; scan: ToolScan } | undefined {
  const text = caller.tier === "admin" ? app.upstreams.get(server)?.status().instructions : undefined;
  return text === undefined ? undefined : { text, scan: app.catalog.scanInstructions(server, text) };
}
