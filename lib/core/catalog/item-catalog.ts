import type { ItemListingCounts, ItemRow, ListedKind } from "../schema/item.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { RuleReport } from "../schema/rule-finding.ts";

/** All known prompts, resources and resource templates, in memory. */
export interface ItemCatalog {
  /** Returns the rows of one server in the order of its list; the same array until one of them changes. */
  of(server: string, kind: ListedKind): readonly ItemRow[];
  /** @param name see `ItemRow.name` */
  get(kind: ListedKind, server: string, name: string): ItemRow | undefined;
  all(kind: ListedKind): Iterable<ItemRow>;
  /** Returns the names of the servers that have items of a kind. */
  servers(kind: ListedKind): Iterable<string>;
  /** Increased whenever rows change; for caches of rendered lists. */
  readonly revision: number;
  /**
   * Returns a number that changes when definitions of a server's items are added, changed or removed, but not by
   * decisions.
   */
  listings(server: string): number;
  /**
   * Accepts a server's full list of one kind, as `Catalog.acceptListing` accepts its tools: pins the items, decides,
   * writes records, replaces the rows and publishes `items.changed` if anything changed.
   *
   * New and changed resources of a released server are approved by the offline scan, unless its `resource_approval` is
   * `manual`. Records of resources that are no longer listed are deleted if no person decided about them.
   *
   * @param hide replaces the server's own secrets in a text
   */
  accept(
    server: string,
    kind: ListedKind,
    entries: readonly unknown[],
    hide?: (text: string) => string,
  ): Promise<ItemListingCounts>;
  /**
   * Decides again about the last lists of a server after its settings changed; for example, a release from quarantine
   * allows the scan to approve resources. Kinds that were not listed in this run are left as they are.
   */
  decideAgain(server: string): Promise<void>;
  /** Returns the result of the offline scan for an item. Await `prepareScan` before scanning many items. */
  scan(server: string, kind: ListedKind, definition: McpObject, hash: string): RuleReport;
  /** Same as `Catalog.prepareScan`, for an item. */
  prepareScan(kind: ListedKind, definition: McpObject, hash: string): Promise<void> | undefined;
  /**
   * Names the entries that were left out of a server's last list of a kind, and why, in one line; empty if there are
   * none.
   */
  skipped(server: string, kind: ListedKind): string;
}
