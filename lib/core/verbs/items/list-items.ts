import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ItemRow, ListedKind } from "../../schema/item.ts";
import type { ItemEntry } from "../../schema/item-entry.ts";
import type { ListPage } from "../../schema/list-page.ts";
import { findServer } from "../servers/find.ts";
import { approvalWord } from "../tools/approval-word.ts";
import type { RowListOptions } from "../tools/select-rows.ts";
import { selectItems } from "./select-items.ts";

interface ItemPage extends Omit<ListPage<ItemEntry>, "rows"> {
  items: ItemEntry[];
}

/**
 * Lists the matching prompts, resources or templates of one server, in the order of the server unless another is
 * requested.
 *
 * @throws Fault server_not_found; and the faults of `selectItems`
 */
export async function listItems(
  app: App,
  server: string,
  kind: ListedKind,
  caller: Caller,
  wanted: RowListOptions = {},
): Promise<ItemPage> {
  findServer(app, server, caller);
  return await pageOf(app, app.catalog.items.of(server, kind), caller, wanted);
}

/**
 * Lists the matching items of all servers that the caller can see, or of one of them; empty for any other server.
 *
 * @throws the faults of `selectItems`
 */
export async function listItemsOfAllServers(
  app: App,
  kind: ListedKind,
  caller: Caller,
  { server, ...wanted }: RowListOptions & { server?: string | undefined },
): Promise<ItemPage> {
  const rows = app.config.current().mcpServers.flatMap(({ name }) => {
    const isWanted = inScope(caller.scope, name) && (server === undefined || server === name);
    return isWanted ? app.catalog.items.of(name, kind) : [];
  });
  return await pageOf(app, rows, caller, wanted);
}

async function pageOf(app: App, all: readonly ItemRow[], caller: Caller, wanted: RowListOptions): Promise<ItemPage> {
  const { rows, ...page } = await selectItems(app, all, caller, wanted);
  const items: ItemEntry[] = [];
  const pause = loopShare();
  for (const row of rows) {
    if (caller.tier === "admin") await app.catalog.items.prepareScan(row.kind, row.definition, row.hash);
    items.push(entryOf(app, caller, row));
    const others = pause();
    if (!others) continue;
    await others;
    if (wanted.signal?.aborted) throw new Fault("cancelled");
  }
  return { items, ...page };
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
    // The cast is safe: the catalog has validated the arguments.
    ...(Array.isArray(args) && { arguments: args as NonNullable<ItemEntry["arguments"]> }),
    ...(caller.tier === "admin" && {
      current_hash: row.hash,
      scan: app.catalog.items.scan(row.server, row.kind, row.definition, row.hash),
    }),
  };
}
