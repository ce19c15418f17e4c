import type { App } from "../../app.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemApprovalRow } from "../../schema/item.ts";
import type { ItemRelease } from "../../schema/item-entry.ts";
import type { ItemKey } from "../../store/store.ts";
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

  const reviewed = new Map(items.map((item) => [keyOf(item.row), item]));
  /** Returns why an item still waits; undefined if it can be approved. */
  const obstacle = (row: ItemApprovalRow | undefined, { kind, name }: ItemKey): StillWaitingItem | undefined => {
    const { pin, acceptsFindings } = reviewed.get(keyOf({ kind, name }))!;
    const listed = app.catalog.items.get(kind, server, name);
    if (!row || !listed) return { kind, name, reason: "not_listed" };
    if (row.currentHash !== pin || listed.hash !== pin) return { kind, name, reason: "changed_since" };
    const rules = graveItemRules(app, row);
    return rules.length === 0 || acceptsFindings ? undefined : { kind, name, reason: "findings", rules };
  };
  // Each item is compared in the change that approves it. Otherwise a listing could arrive and be approved without
  // review.
  const obstacles = new Map<string, StillWaitingItem | undefined>();
  const now = app.clock.now();
  const keys = [...reviewed.values()].map(({ row: { kind, name } }) => ({ kind, name }));
  const changes = await app.store.itemApprovals.changeAll(server, keys, (row, key) => {
    const found = obstacle(row, key);
    obstacles.set(keyOf(key), found);
    return row && !found ? apply(row, by.caller.name, now) : undefined;
  });
  const pending = [...obstacles.values()].flatMap((one) => one ?? []);
  const approved = changes.flatMap(({ before }) => before ?? []);
  if (approved.length === 0) return { approved: [], pending };
  app.catalog.reloadApprovals(server);
  for (const row of approved) recordItemDecision(app, row, "approve", by, metadata);
  return { approved: approved.map(({ kind, name }) => ({ kind, name })), pending };
}

type StillWaitingItem = ItemRelease["pending"][number];

const keyOf = ({ kind, name }: ItemKey) => `${kind} ${name}`;
