import type { ItemListingCounts, ItemRow, ListedKind } from "../schema/item.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { RuleReport } from "../schema/rule-finding.ts";

/** Every known prompt, resource and resource template, in memory. */
export interface ItemCatalog {
  /** Rows of one server in the order it lists them; the same array until one of them changes. */
  of(server: string, kind: ListedKind): readonly ItemRow[];
  /** @param name as `ItemRow.name` */
  get(kind: ListedKind, server: string, name: string): ItemRow | undefined;
  all(kind: ListedKind): Iterable<ItemRow>;
  /** Names of the servers that have items of a kind. */
  servers(kind: ListedKind): Iterable<string>;
  /** Bumped whenever rows change; for caches of rendered lists. */
  readonly revision: number;
  /** Another number whenever definitions of a server's items come, change or go; decisions leave it as it is. */
  listings(server: string): number;
  /**
   * Takes a server's full list of one kind, as `Catalog.acceptListing` takes its tools: pins, decides, stores, replaces
   * the rows and publishes `items.changed` when anything differs from before.
   *
   * New and changed resources of a released server are approved by the offline scan, unless its `resource_approval` is
   * `manual`. Records of resources that are gone are forgotten where no person decided about them.
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
   * Decides again about what a server listed last, for settings that are other ones now: a release from quarantine lets
   * the scan approve resources. Does nothing for kinds that were not listed in this run.
   */
  decideAgain(server: string): Promise<void>;
  /** What the offline scan says of an item; await `prepareScan` first where many are scanned. */
  scan(server: string, kind: ListedKind, definition: McpObject, hash: string): RuleReport;
  /** As `Catalog.prepareScan`. */
  prepareScan(kind: ListedKind, definition: McpObject, hash: string): Promise<void> | undefined;
  /** What was left out of a server's last listing of a kind and why, in one line; empty: nothing. */
  skipped(server: string, kind: ListedKind): string;
}
