import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ApprovalRow } from "../../schema/tool.ts";

/** What a decision changes in a record, and the text for the activity record. */
interface ToolDecisionChange {
  readonly apply: (row: ApprovalRow, by: string, now: number) => ApprovalRow;
  readonly metadata: { readonly action: string } & Readonly<Record<string, string>>;
}

/**
 * Stores a decision on tools of one server and writes an activity record for each tool. The caller checks the
 * permission and publishes the change.
 *
 * @param rows the records before the decision
 * @throws Fault disk_failed
 */
export async function storeToolDecision(
  app: App,
  server: string,
  rows: readonly ApprovalRow[],
  { apply, metadata }: ToolDecisionChange,
  by: Actor,
): Promise<void> {
  const now = app.clock.now();
  await app.store.approvals.put(rows.map((row) => apply(row, by.caller.name, now)));
  app.catalog.reloadApprovals(server);
  for (const { tool, status: before, currentHash: hash } of rows)
    recordActivity(app, by, {
      type: "tool_quarantine_change",
      server_name: server,
      tool_name: tool,
      status: "success",
      metadata: { ...metadata, before, hash },
    });
}
