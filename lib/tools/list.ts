import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
import { find } from "../servers/find.ts";
import type { Caller } from "../shape/caller.ts";
import type { JsonObject } from "../shape/mcp.ts";
import type { ApprovalStatus } from "../shape/tool.ts";
import type { ToolEntry } from "../shape/tool-entry.ts";
import { entries } from "./entry.ts";

export type ListedTool = ToolEntry & { schema: JsonObject; output_schema?: JsonObject };

const ORDER: Record<ApprovalStatus, number> = { pending: 0, changed: 1, approved: 2 };

/**
 * The tools of one server, those that wait for somebody first.
 *
 * @throws Fault server_not_found; cancelled when whoever asked went away
 */
export async function list(app: App, server: string, caller: Caller, signal?: AbortSignal): Promise<ListedTool[]> {
  find(app, server, caller);
  const entry = entries(app, caller);
  const listed: ListedTool[] = [];
  const pause = loopShare();
  for (const row of [...app.catalog.of(server)].sort((a, b) => ORDER[a.status] - ORDER[b.status])) {
    const { inputSchema: schema, outputSchema } = row;
    const shown = entry(row);
    if (shown.withheld) listed.push({ ...shown, schema: {} });
    else listed.push({ ...shown, schema, ...(outputSchema && { output_schema: outputSchema }) });
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return listed;
}
