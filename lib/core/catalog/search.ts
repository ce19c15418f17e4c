import type { ToolRow } from "../schema/tool.ts";
import type { Audience, RankedTools, SearchHit } from "./catalog.ts";
import type { SearchEngine } from "./search-engine.ts";
import { inSlices } from "./slices.ts";
import type { IndexMatch } from "./tool-ranking.ts";
import { takeVisibleMatches } from "./visible-matches.ts";

/**
 * Searches the rows of the catalog. The search engine is loaded with the first tool. Large changes are made in slices.
 */
interface CatalogSearch {
  /** Loads the engine, if it is not loaded yet. */
  open(): Promise<unknown>;
  /** Adds or replaces rows; ids whose row was removed meanwhile are skipped. */
  put(ids: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Finds nothing before `open`. */
  find(query: string, limit: number, audience: Audience): Promise<SearchHit[]>;
  /** Returns every match; none before `open`. */
  ranked(query: string, within?: (server: string) => boolean): Promise<RankedTools>;
}

/** Number of rows added in one step. One takes 0.2 ms, but the first ones together 20 ms and more. */
const TOGETHER = 1;

/** @param rows the current rows by id, which the catalog changes */
export function createCatalogSearch(rows: ReadonlyMap<string, ToolRow>): CatalogSearch {
  let opening: Promise<SearchEngine> | undefined;
  let engine: SearchEngine | undefined;

  function open(): Promise<SearchEngine> {
    opening ??= import("./search-engine.ts").then(({ createSearchEngine }) => {
      engine = createSearchEngine();
      return engine;
    });
    return opening;
  }

  return {
    open,

    async put(ids) {
      const opened = await open();
      await inSlices(ids, TOGETHER, (some) => opened.put(some.flatMap((id) => rows.get(id) ?? [])));
    },

    async remove(ids) {
      await inSlices(ids, TOGETHER, (some) => engine?.remove(some));
    },

    async find(query, limit, audience) {
      const { includesServer } = audience;
      const choose = (found: Iterable<IndexMatch>) => takeVisibleMatches(found, rows, limit, audience);
      const found = await engine?.search({ query, limit, choose, ...(includesServer && { within: includesServer }) });
      return (found ?? []).flatMap(({ id, score }) => withRow(id, score));
    },

    async ranked(query, within) {
      const matches = await engine?.rank(query, within);
      return {
        *rows() {
          for (const id of matches?.ids ?? []) {
            const row = rows.get(id);
            if (row) yield row;
          }
        },
        *[Symbol.iterator]() {
          for (const { id, score } of matches ?? []) yield* withRow(id, score);
        },
      };
    },
  };

  /** The tool may have been removed while the search ran. */
  function withRow(id: string, score: number): SearchHit[] {
    const row = rows.get(id);
    return row ? [{ row, score }] : [];
  }
}
