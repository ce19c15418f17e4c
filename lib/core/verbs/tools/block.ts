import type { App } from "../../app.ts";
import { blockRecord as blocked } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import { decideTools, type ToolDecision } from "./decide.ts";

const BLOCK: ToolDecision = { action: "block", all: (row) => row.status !== "approved", apply: blocked };

/**
 * Blocks tools of one server. Each becomes approved and disabled in one write, so that it is never approved and usable
 * in between (spec 000 §3). "all" means the pending and changed tools.
 *
 * @returns the names blocked by this call
 * @throws Fault server_not_found, tools_not_found, mcp_only_admin, management_disabled
 */
export function blockTools(app: App, server: string, names: readonly string[] | "all", by: Actor): Promise<string[]> {
  return decideTools(app, server, names, BLOCK, by);
}
