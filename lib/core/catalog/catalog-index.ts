import type { ToolRow } from "../schema/tool.ts";
import { toolIdOf } from "./row.ts";
import { createCatalogSearch } from "./search.ts";

/** The search index of the catalog. */
interface CatalogIndex extends Pick<ReturnType<typeof createCatalogSearch>, "open" | "find" | "ranked"> {
  /** True when all tools can be found; false until the first index after a start is built, and during large changes. */
  readonly ready: boolean;
  /** Adds the tools that are known from earlier runs; resolves when they can be found. */
  indexRemembered(): Promise<void>;
  /** Applies the changes of one server's tools. @param removed names of the removed tools */
  update(server: string, removed: readonly string[], changed: readonly ToolRow[]): Promise<void>;
}

/** Number of tools above which a change makes the index not ready until all of them are indexed. */
const LARGE = 500;

/** Makes the index. @param rows all tools by id */
export function createCatalogIndex(rows: ReadonlyMap<string, ToolRow>): CatalogIndex {
  const search = createCatalogSearch(rows);
  let isBuilt = false;
  let largeChanges = 0;
  return {
    open: search.open,
    find: search.find,
    ranked: search.ranked,
    get ready() {
      return isBuilt && largeChanges === 0;
    },

    async indexRemembered() {
      if (rows.size > 0) await search.put([...rows.keys()]);
      isBuilt = true;
    },

    async update(server, removed, changed) {
      const isLarge = changed.length > LARGE;
      if (isLarge) largeChanges++;
      try {
        await search.remove(removed.map((name) => toolIdOf(server, name)));
        await search.put(changed.map((row) => row.id));
      } finally {
        if (isLarge) largeChanges--;
      }
    },
  };
}
