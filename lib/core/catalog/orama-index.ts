import type { AnyIndexStore, AnyOrama, IIndex } from "@orama/orama";
import { type SearchableTool, termWeights } from "./term-weights.ts";
import type { IndexMatch, ToolRanking } from "./tool-ranking.ts";

/** Values that Orama cannot pass to its index component. They are set during one call of Orama. */
export interface OramaContext {
  /**
   * The tools that are being inserted, by id. Other documents are inserted again only for Orama; they are already
   * ranked.
   */
  inserting: ReadonlyMap<string, SearchableTool>;
  /** Selects the results of the search from its matches, which are ranked before. */
  choose: (() => readonly IndexMatch[]) | undefined;
}

/**
 * The property by which a tool is inserted. Orama calls its index once for each searchable property, so there is only
 * one.
 */
const ENTRY = "id";

/**
 * Provides a tool ranking as the index component of Orama. It replaces Orama's trees and scoring but uses Orama's
 * tokenizer. `search` returns results that are already selected, so hidden matches do not reduce the number of results.
 */
export function oramaIndex(index: ToolRanking, moment: OramaContext): IIndex<AnyIndexStore> {
  let ids: AnyOrama["internalDocumentIDStore"]["idToInternalId"] = new Map();
  return {
    create(_, { idToInternalId }) {
      ids = idToInternalId;
      return { vectorIndexes: {} };
    },
    getSearchableProperties: () => [ENTRY],
    getSearchablePropertiesWithTypes: () => ({ [ENTRY]: "string" }),

    insert(_, __, ___, id, ____, _____, ______, _______, { tokenize }) {
      const tool = moment.inserting.get(String(id));
      if (tool) index.put(tool, termWeights(tool, tokenize));
    },

    remove(_, __, ___, id) {
      index.remove(String(id));
      return true;
    },

    search() {
      const found = moment.choose?.() ?? [];
      return found.map(({ id, score }) => [ids.get(id)!, score]);
    },

    // Orama's statistics for its own scoring are not needed.
    insertDocumentScoreParameters: nothing,
    insertTokenScoreParameters: nothing,
    removeDocumentScoreParameters: nothing,
    removeTokenScoreParameters: nothing,
    calculateResultScores: nothing,

    searchByWhereClause: () => refuse("filters by what `choose` takes, not by `where`"),
    load: () => refuse("is built from the catalog's rows, not loaded"),
    save: () => refuse("is built from the catalog's rows, not saved"),
  };
}

function nothing(): void {}

function refuse(why: string): never {
  throw new Error(`the tool index ${why}`);
}
