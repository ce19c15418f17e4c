import type { App } from "../../app.ts";
import { approveListedRecord } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import { type ItemApprovalRow, itemId, type ListedKind } from "../../schema/item.ts";
import type { ItemRelease } from "../../schema/item-entry.ts";
import { approveItemRows } from "./approve-item-rows.ts";
import { graveItemRules } from "./grave-item-rules.ts";

/** A prompt, resource or template that a person reviewed before a release. */
export interface SeenItem {
  readonly kind: ListedKind;
  readonly name: string;
  readonly pin: string;
  /** Whether the person accepts its findings of severity high or critical. */
  readonly acceptsFindings?: boolean | undefined;
}

/** Returns the items that wait for their first approval now and are not blocked, with their current pins. */
export function pendingItems(app: Pick<App, "store">, server: string): SeenItem[] {
  return pendingRows(app, server).map(({ kind, name, currentHash: pin }) => ({ kind, name, pin }));
}

/**
 * Approves the pending items of a released server that a person reviewed and that are unchanged. For all other items
 * the settings of the server decide: by default, the scan approves clean resources. The caller of this function checks
 * the permission.
 *
 * @returns the items approved by this call, and those that still wait
 */
export async function releaseItems(
  app: App,
  server: string,
  reviewed: readonly SeenItem[],
  by: Actor,
): Promise<ItemRelease> {
  const before = new Map(pendingRows(app, server).map((row) => [idOf(row), row]));
  const missing: ItemRelease["pending"] = [];
  const itemsToApprove = reviewed.flatMap((item) => {
    const { kind, name, pin, acceptsFindings = false } = item;
    const row = before.get(itemId(kind, server, name));
    if (row) return [{ row, pin, acceptsFindings }];
    const reason = leftReason(app, server, item);
    if (reason) missing.push({ kind, name, reason });
    return [];
  });
  const metadata = { reason: "the server was released from quarantine" };
  const refused = await approveItemRows(app, server, itemsToApprove, { apply: approveListedRecord, metadata }, by);
  await app.catalog.items.decideAgain(server);

  const reasons = new Map([...missing, ...refused.pending].map((one) => [itemId(one.kind, server, one.name), one]));
  const approved: ItemRelease["approved"] = [];
  for (const { kind, name } of before.values()) {
    const row = app.store.itemApprovals.get(server, kind, name);
    if (row?.status !== "approved" || row.disabled) continue;
    approved.push({ kind, name });
    reasons.delete(idOf(row));
  }
  for (const row of pendingRows(app, server)) {
    if (reasons.has(idOf(row))) continue;
    const { kind, name } = row;
    await app.catalog.items.prepareScan(kind, row.current, row.currentHash);
    const rules = graveItemRules(app, row);
    reasons.set(
      idOf(row),
      rules.length > 0 ? { kind, name, reason: "findings", rules } : { kind, name, reason: "not_reviewed" },
    );
  }
  return { approved, pending: [...reasons.values()] };
}

/**
 * Returns why an item that does not wait for its first approval stays as it is; undefined if nothing must be reported.
 */
function leftReason(
  app: App,
  server: string,
  { kind, name, pin }: SeenItem,
): "not_listed" | "changed_since" | undefined {
  const row = app.store.itemApprovals.get(server, kind, name);
  if (!row) return "not_listed";
  if (row.disabled || (row.status === "approved" && row.currentHash === pin)) return undefined;
  return "changed_since";
}

function pendingRows(app: Pick<App, "store">, server: string): ItemApprovalRow[] {
  return app.store.itemApprovals.of(server).filter((row) => row.status === "pending" && !row.disabled);
}

const idOf = ({ kind, server, name }: ItemApprovalRow) => itemId(kind, server, name);
