import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ApprovalRow } from "../../schema/tool.ts";
import type { RowEdit } from "../../store/store.ts";

/** What a decision changes in a record, and the text for the activity record. */
interface ToolDecisionChange {
  /** Decides about each tool from its newest record. */
  readonly edit: RowEdit<ApprovalRow>;
  readonly metadata: { readonly action: string } & Readonly<Record<string, string>>;
}

/**
 * Stores a decision on tools of one server and writes an activity record for each tool. The caller checks the
 * permission and publishes the change.
 *
 * @returns the tools whose records were changed
 * @throws Fault disk_failed
 */
export async function storeToolDecision(
  app: App,
  server: string,
  tools: readonly string[],
  { edit, metadata }: ToolDecisionChange,
  by: Actor,
): Promise<string[]> {
  const changes = await app.store.approvals.changeAll(server, tools, edit);
  if (changes.length === 0) return [];
  app.catalog.reloadApprovals(server);
  const rows = changes.flatMap(({ before }) => before ?? []);
  for (const { tool, status: before, currentHash: hash } of rows)
    recordActivity(app, by, {
      type: "tool_quarantine_change",
      server_name: server,
      tool_name: tool,
      status: "success",
      metadata: { ...metadata, before, hash },
    });
  return rows.map(({ tool }) => tool);
}
