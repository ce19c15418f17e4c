import type { App } from "../../app.ts";
import { loopShare } from "../../base/loop-share.ts";
import { isToolHidden } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ItemRow, ListedKind } from "../../schema/item.ts";
import type { ItemEntry } from "../../schema/item-entry.ts";
import { findServer } from "../servers/find.ts";
import { serverReview } from "../servers/review.ts";
import { approvalWord } from "../tools/approval-word.ts";

/**
 * The prompts, resources or templates of one server in its order. Callers that are not administrators see the approved
 * ones only: names and URIs, too, are texts that the server chose freely.
 *
 * @throws Fault server_not_found
 */
export async function listItems(
  app: App,
  server: string,
  kinds: readonly ListedKind[],
  caller: Caller,
): Promise<ItemEntry[]> {
  findServer(app, server, caller);
  const pause = loopShare();
  const entries: ItemEntry[] = [];
  for (const row of kinds.flatMap((kind) => app.catalog.items.of(server, kind))) {
    if (isToolHidden(row, serverReview(app, row.server), caller)) continue;
    if (caller.tier === "admin") await app.catalog.items.prepareScan(row.kind, row.definition, row.hash);
    entries.push(entryOf(app, caller, row));
    await pause();
  }
  return entries;
}

function entryOf(app: App, caller: Caller, row: ItemRow): ItemEntry {
  const { title, description, mimeType, arguments: args } = row.definition;
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const [shownTitle, mime] = [text(title), text(mimeType)];
  return {
    kind: row.kind,
    name: row.name,
    server_name: row.server,
    ...(shownTitle !== undefined && { title: shownTitle }),
    description: text(description) ?? "",
    approval_status: approvalWord(row.status),
    disabled: row.disabled,
    ...(mime !== undefined && { mime_type: mime }),
    // Read by the catalog, so they are of this form.
    ...(Array.isArray(args) && { arguments: args as NonNullable<ItemEntry["arguments"]> }),
    ...(caller.tier === "admin" && {
      current_hash: row.hash,
      scan: app.catalog.items.scan(row.server, row.kind, row.definition, row.hash),
    }),
  };
}
