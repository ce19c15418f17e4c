import type { App } from "../../app.ts";
import { blockRecord } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemApprovalRow, ListedKind } from "../../schema/item.ts";
import { findServer } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may-manage.ts";
import { namedItemRows } from "./named-item-rows.ts";
import { recordItemDecision } from "./record-item-decision.ts";

/**
 * Blocks prompts, resources or templates of one server: no client sees or reads them until they are approved. "all"
 * means the pending and changed items.
 *
 * @throws Fault server_not_found, items_not_found, mcp_only_admin, management_disabled
 */
export async function blockItems(
  app: App,
  server: string,
  kinds: readonly ListedKind[],
  names: readonly string[] | "all",
  by: Actor,
): Promise<{ kind: ListedKind; name: string }[]> {
  mayTrust(by, "items block");
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  const isWaiting = (row: ItemApprovalRow) => row.status !== "approved";
  const rows =
    names === "all"
      ? kinds.flatMap((kind) => app.store.itemApprovals.of(server, kind)).filter(isWaiting)
      : namedItemRows(app, server, kinds, names);
  if (rows.length === 0) return [];
  const now = app.clock.now();
  const isConcerned = names === "all" ? isWaiting : () => true;
  const changes = await app.store.itemApprovals.changeAll(
    server,
    rows.map(({ kind, name }) => ({ kind, name })),
    (row) => (row && isConcerned(row) ? blockRecord(row, by.caller.name, now) : undefined),
  );
  app.catalog.reloadApprovals(server);
  const blocked = changes.flatMap(({ before }) => before ?? []);
  for (const row of blocked) recordItemDecision(app, row, "block", by);
  app.events.publish("servers.changed", { server, reason: "tools_blocked" });
  return blocked.map(({ kind, name }) => ({ kind, name }));
}
