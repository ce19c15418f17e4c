import type { App } from "../../app.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolScan } from "../../schema/tool-entry.ts";

/**
 * The text that a connected server gives to models, with its scan. Findings in it hold all tools of the server until a
 * person accepts them, so administrators see it beside the tools.
 *
 * @returns undefined for other callers, and while the server is not connected or gives no text
 */
export function serverInstructions(
  app: Pick<App, "catalog" | "upstreams">,
  server: string,
  caller: Caller,
): { text: string; scan: ToolScan } | undefined {
  const text = caller.tier === "admin" ? app.upstreams.get(server)?.status().instructions : undefined;
  return text === undefined ? undefined : { text, scan: app.catalog.scanInstructions(server, text) };
}
