import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ListPage } from "../../schema/list-page.ts";
import type { McpObject } from "../../schema/mcp.ts";
import type { ApprovalStatus } from "../../schema/tool.ts";
import type { ToolEntry } from "../../schema/tool-entry.ts";
import { findServer } from "../servers/find.ts";
import { callCountsFor } from "./call-counts.ts";
import { toolEntryFor } from "./entry.ts";
import { selectTools, type ToolListOptions } from "./select-tools.ts";

type ListedTool = ToolEntry & { schema: McpObject; output_schema?: McpObject };

const ORDER: Record<ApprovalStatus, number> = { pending: 0, changed: 1, approved: 2 };

/**
 * Lists the matching tools of one server. Those that wait for review come first unless another order is requested.
 *
 * @throws Fault server_not_found; cancelled if the caller has disconnected
 */
export async function listTools(
  app: App,
  server: string,
  caller: Caller,
  options: ToolListOptions = {},
): Promise<Omit<ListPage<ListedTool>, "rows"> & { tools: ListedTool[] }> {
  findServer(app, server, caller);
  const all = [...app.catalog.of(server)].sort((a, b) => ORDER[a.status] - ORDER[b.status]);
  const callsOf = await callCountsFor(app, caller, options.signal);
  const { rows, ...page } = await selectTools(app, all, { caller, callsOf }, options);
  const entry = toolEntryFor(app, caller, callsOf);
  const listed: ListedTool[] = [];
  const pause = loopShare();
  for (const row of rows) {
    const { inputSchema: schema, outputSchema } = row;
    if (caller.tier === "admin") await app.catalog.prepareScan(row, row.hash);
    const shown = entry(row);
    if (shown.withheld) listed.push({ ...shown, schema: {} });
    else listed.push({ ...shown, schema, ...(outputSchema && { output_schema: outputSchema }) });
    const others = pause();
    if (!others) continue;
    await others;
    if (options.signal?.aborted) throw new Fault("cancelled");
  }
  return { tools: listed, ...page };
}
