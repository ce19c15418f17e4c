import type { AnyIndexStore, AnyOrama, IIndex } from "@orama/orama";
import { type SearchableTool, termWeights } from "./term-weights.ts";
import type { IndexMatch, ToolRanking } from "./tool-ranking.ts";

/** What one search wants of the ranking. */
export interface RankingQuery {
  readonly query: string;
  /** Most matches that are answered. */
  readonly limit: number;
  /** The servers whose tools are ranked; all unless given. */
  within?(server: string): boolean;
  /** Takes those to answer from all matches, best first, while they are ranked. */
  choose(found: Iterable<IndexMatch>): readonly IndexMatch[];
}

/** What Orama has no way of handing on to its index; set for the length of one of its calls. */
export interface OramaContext {
  /** The tools that are being inserted, by id. A document that is not among them is of a tool that is ranked already. */
  inserting: ReadonlyMap<string, SearchableTool>;
  question: RankingQuery | undefined;
}

/** The property a tool is entered under, whole: Orama calls its index once for each searchable property. */
const ENTRY = "id";

/**
 * A tool index as the index component of Orama: tools are weighed by Orama's tokenizer and ranked by the index, in place
 * of Orama's trees and scoring. Answers of its `search` are chosen already, so that no place is lost to a match that
 * may not be seen.
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

    search(_, query) {
      const found = moment.question?.choose(index.search(query, moment.question.within)) ?? [];
      return found.map(({ id, score }) => [ids.get(id)!, score]);
    },

    // What Orama's own scoring would count; the index has its weights.
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
