import type { App } from "../../core/app.ts";
import { loopShare } from "../../core/base/loop-share.ts";
import type { Integrity } from "../../core/schema/integrity.ts";
import { type ItemRow, LISTED_KINDS } from "../../core/schema/item.ts";
import type { Difference } from "../../core/schema/lock-verification.ts";
import type { ToolRow } from "../../core/schema/tool.ts";
import { toolDrift } from "../lock/compare.ts";
import { itemDrift } from "../lock/item-drift.ts";
import { lockedItemOf } from "../lock/item-lock.ts";
import { toolOf } from "../lock/server-lock.ts";

/** Tools, prompts, resources and templates of a server whose definition is not the one that was approved. */
export async function approvalDrift(app: App, server: string): Promise<Integrity["differences"]> {
  const found: Integrity["differences"] = [];
  const pause = loopShare();
  const add = (of: { tool: string } | { kind: ItemRow["kind"]; item: string }, drift: readonly Difference[]) => {
    for (const difference of drift) found.push({ against: "approval", ...of, ...difference });
  };
  for (const row of app.catalog.of(server)) {
    if (row.status !== "approved") add({ tool: row.name }, ofTool(app, row));
    const others = pause();
    if (others) await others;
  }
  for (const kind of LISTED_KINDS)
    for (const row of app.catalog.items.of(server, kind)) {
      if (row.status !== "approved") add({ kind, item: row.name }, ofItem(app, row));
      const others = pause();
      if (others) await others;
    }
  return found;
}

const NOT_APPROVED: Difference = { at: "", class: "capability", what: "it has no approved state" };

function ofTool(app: App, row: ToolRow): Difference[] {
  if (row.status === "pending") return [NOT_APPROVED];
  const { approved, approvedHash } = app.store.approvals.get(row.server, row.name) ?? {};
  if (!approved || approvedHash === undefined) return [];
  return toolDrift(toolOf({ ...approved, hash: approvedHash }), toolOf(row));
}

function ofItem(app: App, row: ItemRow): Difference[] {
  if (row.status === "pending") return [NOT_APPROVED];
  const { approved, approvedHash } = app.store.itemApprovals.get(row.server, row.kind, row.name) ?? {};
  if (!approved || approvedHash === undefined) return [];
  return itemDrift(lockedItemOf({ hash: approvedHash, definition: approved }), lockedItemOf(row));
}
