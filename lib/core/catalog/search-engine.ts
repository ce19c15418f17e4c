import { create, insertMultiple, type Results, remove, search } from "@orama/orama";
import { type OramaContext, oramaIndex, type RankingQuery } from "./orama-index.ts";
import type { SearchableTool } from "./term-weights.ts";
import { termsOf } from "./terms.ts";
import { createToolRanking, type IndexMatch, type ToolIdentity } from "./tool-ranking.ts";

/** Orama with the ranking of `tool-ranking.ts` as its index component: that component decides which tools match and in which order. */
export interface SearchEngine {
  readonly size: number;
  /** Documents that Orama remembers an id of, gone ones included. */
  readonly remembered: number;
  /** Adds tools, or replaces those of the same ids. */
  put(tools: readonly SearchableTool[]): void;
  remove(ids: readonly string[]): void;
  /** The matches that were chosen, best first, equal ones by id. */
  search(question: RankingQuery): IndexMatch[];
}

/** What Orama keeps of a tool: enough to find its row. */
const SCHEMA = { id: "string", server: "string", name: "string" } as const;

/** Gone documents that Orama may remember, beside as many as there are. */
const MAX_GONE = 1000;

export function createSearchEngine(): SearchEngine {
  const index = createToolRanking();
  const moment: OramaContext = { inserting: new Map(), question: undefined };
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

  /** Orama remembers every id that it is asked about, so it is asked about those it knows. */
  function drop(ids: readonly string[]): void {
    for (const id of ids) if (db.internalDocumentIDStore.idToInternalId.has(id)) remove(db, id);
  }

  /** Orama never forgets an id, so it is made anew now and then; the index stays as it is. */
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
    search(question) {
      moment.question = question;
      try {
        const { query: term, limit } = question;
        // "*": without properties an empty term would stand for every document. Without hooks the answer comes at once.
        const results = search(db, { term, limit, properties: "*", sortBy: byScore }) as Results<ToolIdentity>;
        return results.hits.map(({ id, score }) => ({ id, score }));
      } finally {
        moment.question = undefined;
      }
    },
  };
}

type Ranked = [number: number, score: number, document: ToolIdentity];

/** Orama's own order would have equal scores in the order of insertion. */
function byScore([, a, one]: Ranked, [, b, other]: Ranked): number {
  return b - a || (one.id < other.id ? -1 : 1);
}
