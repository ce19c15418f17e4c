import type { ItemListingCounts, ItemRow, ListedKind } from "../schema/item.ts";

/** Every known prompt, resource and resource template, in memory. */
export interface ItemCatalog {
  /** Rows of one server in the order it lists them. */
  of(server: string, kind: ListedKind): readonly ItemRow[];
  /** @param name as `ItemRow.name` */
  get(kind: ListedKind, server: string, name: string): ItemRow | undefined;
  all(kind: ListedKind): Iterable<ItemRow>;
  /** Names of the servers that have items of a kind. */
  servers(kind: ListedKind): Iterable<string>;
  /** Bumped whenever rows change; for caches of rendered lists. */
  readonly revision: number;
  /**
   * Takes a server's full list of one kind, as `Catalog.acceptListing` takes its tools: pins, decides, stores, replaces
   * the rows and publishes `items.changed` when anything differs from before.
   *
   * @param hide replaces the server's own secrets in a text
   */
  accept(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ): Promise<ItemListingCounts>;
}
