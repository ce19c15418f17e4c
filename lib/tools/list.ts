import type { App } from "../app.ts";
import { find } from "../servers/find.ts";
import type { Caller } from "../shape/caller.ts";
import type { JsonObject } from "../shape/mcp.ts";
import type { ApprovalStatus } from "../shape/tool.ts";
import type { ToolEntry } from "../shape/tool-entry.ts";
import { entries } from "./entry.ts";

export type ListedTool = ToolEntry & { schema: JsonObject; output_schema?: JsonObject };

const ORDER: Record<ApprovalStatus, number> = { pending: 0, changed: 1, approved: 2 };

/** The tools of one server, those that wait for somebody first. @throws Fault server_not_found */
export function list(app: App, server: string, caller: Caller): ListedTool[] {
  find(app, server, caller);
  const entry = entries(app, caller);
  return [...app.catalog.of(server)]
    .sort((a, b) => ORDER[a.status] - ORDER[b.status])
    .map((row) => ({
      ...entry(row),
      schema: row.inputSchema,
      ...(row.outputSchema && { output_schema: row.outputSchema }),
    }));
}
