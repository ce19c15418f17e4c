import type { App } from "#lib/core/app.ts";
import type { ItemCatalog } from "#lib/core/catalog/item-catalog.ts";
import { type ItemRow, itemId, type ListedKind } from "#lib/core/schema/item.ts";

/** An item for a test; approved by default. */
export type TestItem = Partial<ItemRow> & { kind: ListedKind; server: string; name: string };

/** Replaces the known items, and reports the change of their kinds. @returns a function that replaces them again */
export function knowItems(app: App, items: readonly TestItem[]): (next: readonly TestItem[]) => void {
  let rows = items.map(rowOf);
  let revision = 1;
  const catalog: Partial<ItemCatalog> = {
    of: (server, kind) => rows.filter((row) => row.server === server && row.kind === kind),
    get: (kind, server, name) => rows.find((row) => row.kind === kind && row.server === server && row.name === name),
    all: (kind) => rows.filter((row) => row.kind === kind),
    servers: (kind) => new Set(rows.filter((row) => row.kind === kind).map((row) => row.server)),
    get revision() {
      return revision;
    },
  };
  Object.assign(app.catalog, { items: catalog });
  return (next) => {
    rows = next.map(rowOf);
    revision++;
    for (const kind of new Set(next.map((row) => row.kind)))
      app.events.publish("items.changed", { server: next[0]!.server, kind });
  };
}

const NAMED = { prompt: "name", resource: "uri", template: "uriTemplate" } as const;

function rowOf(item: TestItem): ItemRow {
  const { kind, server, name } = item;
  return {
    id: itemId(kind, server, name),
    definition: { [NAMED[kind]]: name, ...(kind !== "prompt" && { name: "n" }) },
    hash: "sha256/v1:x",
    status: "approved",
    recorded: true,
    disabled: false,
    present: true,
    annotations: { readOnlyHint: true },
    ...item,
  };
}
