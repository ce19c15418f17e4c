import { setTimeout } from "node:timers/promises";
import type { ToolRow } from "../schema/tool.ts";
import { toolIdOf } from "./row.ts";
import { createCatalogSearch } from "./search.ts";
import { loadSynonyms } from "./synonyms.ts";

/** The search index of the catalog, and whether it can be searched in full. */
interface CatalogIndex extends Pick<ReturnType<typeof createCatalogSearch>, "open" | "find" | "ranked"> {
  /** False until the first index after a start is built, and during large changes. */
  readonly ready: boolean;
  /** Enters the remembered rows; resolves when they can be searched. */
  indexRemembered(): Promise<void>;
  /** @param removed names of tools */
  update(server: string, removed: readonly string[], changed: readonly ToolRow[]): Promise<void>;
}

/** By then the program answers, and nobody has searched yet. (ms) */
const SETTLED_MS = 400;

/** A change of more tools than this keeps the program from being ready: searches find a part of them until it is done. */
const LARGE = 500;

/** @param rows by id */
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

/** Loads the thesaurus once the index is built. Search works without; it only must not hold up the start. */
export async function loadSynonymsAfter(indexed: Promise<void>): Promise<void> {
  await indexed;
  await setTimeout(SETTLED_MS, undefined, { ref: false });
  await loadSynonyms();
}
