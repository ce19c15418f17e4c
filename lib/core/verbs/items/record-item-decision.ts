import type { App } from "../../app.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemApprovalRow } from "../../schema/item.ts";

/** Records a decision. The record contains the kind of the item, because a tool may have the same name. */
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
