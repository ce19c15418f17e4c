import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { escapeInvisible } from "../../base/excerpt.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import { isDenied } from "../../gateway/tool-snapshot.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolEntry } from "../../schema/tool-entry.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "./approval-word.ts";
import type { CallCounts } from "./call-counts.ts";

/**
 * Returns a function that makes list entries of tools (spec 000 §2.5). Of unapproved tools, callers other than
 * administrators see only name and status.
 *
 * @param callsOf the calls that the caller may know of
 */
export function toolEntryFor(app: App, caller: Caller, callsOf: CallCounts): (row: ToolRow) => ToolEntry {
  return (row) => {
    const usage = callsOf(row);
    const server = app.config.server(row.server);
    const withheld = isToolHidden(row, serverReview(app, row.server), caller);
    return {
      // The texts of a tool that was not reviewed are not shown, and invisible characters in its name are escaped.
      name: withheld ? escapeInvisible(row.name) : row.name,
      server_name: row.server,
      ...(row.title !== undefined && !withheld && { title: row.title }),
      description: withheld ? "" : row.description,
      ...(withheld && { withheld }),
      approval_status: approvalWord(row.status),
      disabled: row.disabled,
      config_denied: server !== undefined && isDenied(server, row.name),
      usage: usage?.count ?? 0,
      ...(usage && { last_used: rfc3339(usage.lastUsed) }),
      ...(caller.tier === "admin" && row.status === "approved" && { hash: row.hash }),
      ...(caller.tier === "admin" && { current_hash: row.hash }),
      ...(row.annotations && !withheld && { annotations: { ...row.annotations } }),
      ...(caller.tier === "admin" && { scan: app.catalog.scan(row.server, row, row.hash) }),
    };
  };
}

/**
 * Makes the list entries of many tools, yielding to other work. Tools that were not scanned yet are scanned first, in
 * pieces.
 *
 * @throws Fault cancelled if the caller has disconnected
 */
export async function toolEntriesOf(
  app: App,
  rows: readonly ToolRow[],
  { caller, callsOf }: { caller: Caller; callsOf: CallCounts },
  signal: AbortSignal | undefined,
): Promise<ToolEntry[]> {
  const entry = toolEntryFor(app, caller, callsOf);
  const tools: ToolEntry[] = [];
  const isOperator = caller.tier === "admin";
  const pause = loopShare();
  for (const row of rows) {
    const examined = isOperator ? app.catalog.prepareScan(row, row.hash) : undefined;
    if (examined) await examined;
    tools.push(entry(row));
    const others = pause();
    if (!others) continue;
    await others;
    if (signal?.aborted) throw new Fault("cancelled");
  }
  return tools;
}
