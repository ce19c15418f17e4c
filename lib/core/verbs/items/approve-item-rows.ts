import type { App } from "../../app.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemApprovalRow } from "../../schema/item.ts";
import type { ItemRelease } from "../../schema/item-entry.ts";
import { graveItemRules } from "./grave-item-rules.ts";
import { recordItemDecision } from "./record-item-decision.ts";

/** One item that a person wants to approve. */
interface ItemToApprove {
  readonly row: ItemApprovalRow;
  /** The pin that the person reviewed. */
  readonly pin: string;
  /** Whether the person accepts its findings of severity high or critical. */
  readonly acceptsFindings: boolean;
}

/** What an approval changes in a record, and the text for the activity record. */
interface ItemApprovalChange {
  readonly apply: (row: ItemApprovalRow, by: string, now: number) => ItemApprovalRow;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Approves items of one server whose definitions a person has reviewed. An item that changed since, is not listed, or
 * has findings that the person did not accept, is not changed. The caller of this function checks the permission.
 */
export async function approveItemRows(
  app: App,
  server: string,
  items: readonly ItemToApprove[],
  { apply, metadata = {} }: ItemApprovalChange,
  by: Actor,
): Promise<ItemRelease> {
  for (const { row } of items) await app.catalog.items.prepareScan(row.kind, row.current, row.currentHash);

  // Nothing is awaited from here to the write. Otherwise a listing could arrive and be approved without review.
  const pending: ItemRelease["pending"] = [];
  const approvable: ItemApprovalRow[] = [];
  for (const { row: reviewed, pin, acceptsFindings } of items) {
    const { kind, name } = reviewed;
    const row = app.store.itemApprovals.get(server, kind, name);
    const listed = app.catalog.items.get(kind, server, name);
    if (!row || !listed) {
      pending.push({ kind, name, reason: "not_listed" });
      continue;
    }
    if (row.currentHash !== pin || listed.hash !== pin) {
      pending.push({ kind, name, reason: "changed_since" });
      continue;
    }
    const rules = graveItemRules(app, row);
    if (rules.length === 0 || acceptsFindings) approvable.push(row);
    else pending.push({ kind, name, reason: "findings", rules });
  }
  if (approvable.length === 0) return { approved: [], pending };
  const now = app.clock.now();
  await app.store.itemApprovals.put(approvable.map((row) => apply(row, by.caller.name, now)));
  app.catalog.reloadApprovals(server);
  for (const row of approvable) recordItemDecision(app, row, "approve", by, metadata);
  return { approved: approvable.map(({ kind, name }) => ({ kind, name })), pending };
}
