import type { App } from "../../app.ts";
import { approveRecord } from "../../catalog/approval.ts";
import type { Actor } from "../../schema/caller.ts";
import { type ItemApprovalRow, itemId, type ListedKind } from "../../schema/item.ts";
import type { ItemRelease } from "../../schema/item-entry.ts";
import { findServer } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may-manage.ts";
import { namedItemRows } from "./named-item-rows.ts";
import { recordItemDecision } from "./record-item-decision.ts";

/** What a person saw and accepts. */
interface SeenItems {
  /** Name to the pin that was shown; absent: whatever is listed at that moment. */
  readonly pins?: Readonly<Record<string, string>> | undefined;
  /** Items whose findings of severity high or critical are accepted. */
  readonly acceptFindings?: readonly string[] | undefined;
}

/**
 * Approves prompts, resources or templates of one server, as `approveTools` approves tools. Named ones are approved
 * whatever they were, a block included; "all" means the pending and changed ones that nobody blocked. What is not as it
 * was shown, or has findings of severity high or critical that are not accepted by name, stays as it is.
 *
 * @throws Fault server_not_found, items_not_found, mcp_only_admin, management_disabled
 */
export async function approveItems(
  app: App,
  server: string,
  kinds: readonly ListedKind[],
  names: readonly string[] | "all",
  seen: SeenItems,
  by: Actor,
): Promise<ItemRelease> {
  mayTrust(by, "items approve");
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  const rows =
    names === "all"
      ? kinds
          .flatMap((kind) => app.store.itemApprovals.of(server, kind))
          .filter((row) => row.status !== "approved" && !row.disabled)
      : namedItemRows(app, server, kinds, names);
  const release = await approveRows(app, server, rows, seen, by, "approve");
  if (release.approved.length > 0) app.events.publish("servers.changed", { server, reason: "tools_approved" });
  return release;
}

/** What waits for a first approval at this moment and that nobody blocked. */
export function pendingItems(app: Pick<App, "store">, server: string): ItemApprovalRow[] {
  return app.store.itemApprovals.of(server).filter((row) => row.status === "pending" && !row.disabled);
}

/**
 * Approves items of a server that was just released from quarantine, as far as they are what they were when that was
 * decided. Findings of severity high or critical hold an item back. Who may do this is decided by the caller.
 *
 * @param rows as `pendingItems` gave them when the release was decided
 */
export function approvePendingItems(
  app: App,
  server: string,
  rows: readonly ItemApprovalRow[],
  by: Actor,
): Promise<ItemRelease> {
  return approveRows(app, server, rows, {}, by, "approve");
}

async function approveRows(
  app: App,
  server: string,
  rows: readonly ItemApprovalRow[],
  { pins, acceptFindings = [] }: SeenItems,
  by: Actor,
  action: string,
): Promise<ItemRelease> {
  const accepted = new Set(acceptFindings);
  const seen = new Map(rows.map((row) => [keyOf(row), pins ? (pins[row.name] ?? "") : row.currentHash]));
  for (const { kind, current, currentHash } of rows) await app.catalog.items.prepareScan(kind, current, currentHash);

  // From here to the write nothing is awaited: a listing that comes in between cannot be approved by mistake.
  const pending: ItemRelease["pending"] = [];
  const approvable: ItemApprovalRow[] = [];
  for (const { kind, name } of rows) {
    const row = app.store.itemApprovals.get(server, kind, name);
    const listed = app.catalog.items.get(kind, server, name);
    if (!row || !listed) {
      pending.push({ kind, name, reason: "not_listed" });
      continue;
    }
    const pin = seen.get(keyOf(row));
    if (row.currentHash !== pin || listed.hash !== pin) {
      pending.push({ kind, name, reason: "changed_since" });
      continue;
    }
    const { findings } = app.catalog.items.scan(server, kind, row.current, row.currentHash);
    const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
    if (grave.length === 0 || accepted.has(name)) approvable.push(row);
    else pending.push({ kind, name, reason: "findings", rules: [...new Set(grave.map(({ rule }) => rule))] });
  }
  if (approvable.length === 0) return { approved: [], pending };
  const now = app.clock.now();
  await app.store.itemApprovals.put(approvable.map((row) => approveRecord(row, by.caller.name, now)));
  app.catalog.reloadApprovals(server);
  for (const row of approvable) recordItemDecision(app, row, action, by);
  return { approved: approvable.map(({ kind, name }) => ({ kind, name })), pending };
}

const keyOf = ({ kind, server, name }: ItemApprovalRow) => itemId(kind, server, name);
