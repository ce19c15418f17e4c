import type { ItemRow } from "../schema/item.ts";
import type { ItemCatalog } from "./item-catalog.ts";

/** An item catalog that holds nothing yet. */
export function createItemCatalog(): ItemCatalog {
  const none: readonly ItemRow[] = [];
  return {
    of: () => none,
    get: () => undefined,
    all: () => none,
    servers: () => [],
    revision: 0,
    accept: async (_, __, entries) => ({ total: entries.length, added: [], changed: [], removed: [] }),
  };
}
