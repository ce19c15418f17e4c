import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";

/**
 * Returns the instructions that a connected server sends to models, with the result of their scan. Administrators see
 * them with the tools, because severe findings in them prevent the approval of all tools until a person accepts them.
 *
 * @returns undefined for other callers, and if the server is not connected or has no instructions
 */
export function serverInstructions(
  app: Pick<App, "catalog" | "upstreams">,
  server: string,
  caller: Caller,
): { text: string; scan: ToolScan } | undefined {
  const text = caller.tier === "admin" ? app.upstreams.get(server)?.status().instructions : undefined;
  return text === undefined ? undefined : { text, scan: app.catalog.scanInstructions(server, text) };
}
