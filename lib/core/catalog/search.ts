import type { ToolRow } from "../schema/tool.ts";
import type { Audience, Hit } from "./catalog.ts";
import type { Engine } from "./engine.ts";
import type { Found } from "./index.ts";
import { inSlices } from "./slices.ts";
import { walk } from "./walk.ts";

/** The search engine over the catalog's rows, loaded at the first tool. Large changes are made in slices. */
export interface Search {
  /** Loads the engine, unless it is there. */
  open(): Promise<unknown>;
  /** Enters rows, or enters them anew; those that are gone meanwhile are left out. */
  put(ids: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Nothing before `open`. */
  find(query: string, limit: number, audience: Audience): Hit[];
  /** Every match, best first; nothing before `open`. */
  ranked(query: string, within?: (server: string) => boolean): Iterable<Hit>;
}

/** Rows entered in one go, a millisecond or two. */
const TOGETHER = 10;

export function createSearch(rows: ReadonlyMap<string, ToolRow>): Search {
  let opening: Promise<Engine> | undefined;
  let engine: Engine | undefined;

  function open(): Promise<Engine> {
    opening ??= import("./engine.ts").then(({ createEngine }) => {
      engine = createEngine();
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

    find(query, limit, audience) {
      const { within } = audience;
      const choose = (found: Iterable<Found>) => walk(found, rows, limit, audience);
      const found = engine?.search({ query, limit, choose, ...(within && { within }) }) ?? [];
      return found.map(({ id, score }) => ({ row: rows.get(id)!, score }));
    },

    *ranked(query, within) {
      let found: Iterable<Found> = [];
      const choose = (all: Iterable<Found>) => {
        found = all;
        return [];
      };
      engine?.search({ query, limit: 1, choose, ...(within && { within }) });
      for (const { id, score } of found) {
        const row = rows.get(id);
        // The tool may have been removed while the caller pages through the results.
        if (row) yield { row, score };
      }
    },
  };
}
