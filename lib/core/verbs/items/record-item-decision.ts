import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemApprovalRow } from "../../schema/item.ts";

/** The record of a decision; it names the kind beside the name, since a tool may have the same one. */
export function recordItemDecision(
  app: App,
  row: ItemApprovalRow,
  action: string,
  by: Actor,
  more: Readonly<Record<string, string>> = {},
): void {
  recordActivity(app, by, {
    type: "tool_quarantine_change",
    server_name: row.server,
    tool_name: row.name,
    status: "success",
    metadata: { action, kind: row.kind, before: row.status, hash: row.currentHash, ...more },
  });
}
