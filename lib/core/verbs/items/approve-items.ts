import type { App } from "../../app.ts";
import { approveRecord } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ListedKind } from "../../schema/item.ts";
import type { ItemRelease } from "../../schema/item-entry.ts";
import { findServer } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may-manage.ts";
import { approveItemRows } from "./approve-item-rows.ts";
import { namedItemRows } from "./named-item-rows.ts";

/** What a person reviewed and accepts. */
interface SeenItems {
  /** The reviewed pins by name; absent: the definitions that are listed now. */
  readonly pins?: Readonly<Record<string, string>> | undefined;
  /** Names of items whose findings of severity high or critical the person accepts. */
  readonly acceptFindings?: readonly string[] | undefined;
}

/**
 * Approves prompts, resources or templates of one server, as `approveTools` approves tools. Named items are approved in
 * any state, even if blocked; "all" means the pending and changed items that nobody blocked. An item that differs from
 * the reviewed definition, or has findings of severity high or critical that are not accepted by name, is not changed.
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
  const accepted = new Set(seen.acceptFindings);
  const { pins } = seen;
  const release = await approveItemRows(
    app,
    server,
    rows.map((row) => ({
      row,
      pin: pins ? (pins[row.name] ?? "") : row.currentHash,
      acceptsFindings: accepted.has(row.name),
    })),
    { apply: approveRecord },
    by,
  );
  if (release.approved.length > 0) app.events.publish("servers.changed", { server, reason: "tools_approved" });
  return release;
}
