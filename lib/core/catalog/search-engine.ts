import { create, insertMultiple, type Results, remove, search } from "@orama/orama";
import { runSteps } from "../base/loop-share.ts";
import { type OramaContext, oramaIndex } from "./orama-index.ts";
import type { SearchableTool } from "./term-weights.ts";
import { termsOf } from "./terms.ts";
import { createToolRanking, type IndexMatch, type RankedMatches, type ToolIdentity } from "./tool-ranking.ts";

/** A search request. */
export interface ToolQuery {
  readonly query: string;
  /** Maximum number of results. */
  readonly limit: number;
  /** Selects the servers whose tools are ranked; absent: all. */
  within?(server: string): boolean;
  /** Selects the results from all matches, which are sorted as far as they are taken. */
  choose(found: Iterable<IndexMatch>): readonly IndexMatch[];
}

/**
 * Orama with the ranking of `tool-ranking.ts` as its index component. The ranking decides which tools match, and their
 * order.
 */
export interface SearchEngine {
  readonly size: number;
  /** Number of documents whose ids Orama remembers, including removed ones. */
  readonly remembered: number;
  /** Adds tools, or replaces tools with the same id. */
  put(tools: readonly SearchableTool[]): void;
  remove(ids: readonly string[]): void;
  /** Returns the selected matches, best first; equal ones are sorted by id. Yields to other work. */
  search(question: ToolQuery): Promise<IndexMatch[]>;
  /** Returns all matches. Yields to other work. */
  rank(query: string, within?: (server: string) => boolean): Promise<RankedMatches>;
}

/** The members of a tool that Orama stores: enough to find its row. */
const SCHEMA = { id: "string", server: "string", name: "string" } as const;

/** Orama may remember so many removed documents in addition to as many as there are documents. */
const MAX_GONE = 1000;

export function createSearchEngine(): SearchEngine {
  const index = createToolRanking();
  const moment: OramaContext = { inserting: new Map(), choose: undefined };
  let db = open();

  function open() {
    return create({
      schema: SCHEMA,
      sort: { enabled: false },
      components: {
        index: oramaIndex(index, moment),
        tokenizer: { language: "english", normalizationCache: new Map(), tokenize: termsOf },
      },
    });
  }

  function put(tools: readonly SearchableTool[]): void {
    drop(tools.map((tool) => tool.id));
    moment.inserting = new Map(tools.map((tool) => [tool.id, tool]));
    try {
      enter([...moment.inserting.values()]);
    } finally {
      moment.inserting = new Map();
    }
  }

  function enter(tools: readonly ToolIdentity[]): void {
    insertMultiple(
      db,
      tools.map(({ id, server, name }) => ({ id, server, name })),
    );
  }

  /** Only documents that Orama knows are removed, because it also remembers the ids of unknown ones. */
  function drop(ids: readonly string[]): void {
    for (const id of ids) if (db.internalDocumentIDStore.idToInternalId.has(id)) remove(db, id);
  }

  /** Makes a new Orama database from time to time, because Orama never forgets an id. The ranking is kept. */
  function forgetGone(): void {
    if (remembered() <= 2 * index.size + MAX_GONE) return;
    const present = Object.values(db.data.docs.docs) as ToolIdentity[];
    db = open();
    enter(present);
  }

  function remembered(): number {
    return db.internalDocumentIDStore.internalIdToId.length;
  }

  return {
    get size() {
      return index.size;
    },
    get remembered() {
      return remembered();
    },
    put,
    remove(ids) {
      drop(ids);
      forgetGone();
    },
    async search({ query: term, limit, within, choose }) {
      const found = await runSteps(index.search(term, within));
      moment.choose = () => choose(found);
      try {
        // Without `properties` an empty term would match every document. Without hooks the search is synchronous.
        const results = search(db, { term, limit, properties: "*", sortBy: byScore }) as Results<ToolIdentity>;
        return results.hits.map(({ id, score }) => ({ id, score }));
      } finally {
        moment.choose = undefined;
      }
    },
    rank: async (query, within) => await runSteps(index.search(query, within)),
  };
}

type Ranked = [number: number, score: number, document: ToolIdentity];

/** Sorts equal scores by id; Orama would sort them in the order of insertion. */
function byScore([, a, one]: Ranked, [, b, other]: Ranked): number {
  return b - a || (one.id < other.id ? -1 : 1);
}
