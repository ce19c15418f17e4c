import { bestFirst } from "./best-first.ts";
import { createPostings } from "./postings.ts";
import {
  type IndexedServer,
  type IndexedTool,
  isSearched,
  type ScoredTools,
  type SearchedTools,
  scoreTools,
} from "./score-tools.ts";
import { seekTerms } from "./seek-terms.ts";
import { normalizedName } from "./terms.ts";

/** The members by which a tool is identified. */
export interface ToolIdentity {
  readonly id: string;
  readonly server: string;
  readonly name: string;
}

export interface IndexMatch {
  readonly id: string;
  readonly score: number;
}

/** The matches of a query, best first; only those that the caller takes are sorted. */
export interface RankedMatches extends Iterable<IndexMatch> {
  /** The ids of all matches, in no particular order. */
  readonly ids: readonly string[];
}

/**
 * An inverted index of tools, updated one tool at a time. It uses BM25, but a term counts once per part of a tool,
 * however often it is repeated. Four things are added: a thesaurus, coverage of the query, the other tools of the same
 * server, and guesses for words that match no tool.
 */
export interface ToolRanking {
  readonly size: number;
  /** Adds a tool with its terms and their weights, or replaces the tool with this id. */
  put(tool: ToolIdentity, terms: ReadonlyMap<string, number>): void;
  remove(id: string): void;
  /**
   * Finds every match, in small steps, between which the index may change: tools that are added meanwhile are not
   * found. If the query is the name or id of a tool, in any spelling, that tool comes first. Scores are finite and
   * descending; equal ones are sorted by id.
   *
   * @param within selects the servers whose tools are ranked; called once for each server. Other servers have no
   *   influence: scores and guesses are as if they did not exist
   */
  search(query: string, within?: (server: string) => boolean): Generator<void, RankedMatches>;
}

/** Maximum length of a query; the rest is ignored (characters). */
const MAX_QUERY = 1000;
/** Number of matches in one step. */
const STEP = 1024;
/** A match by name scores this many times as much as the best of the others. */
const NAMED = 1.5;

export function createToolRanking(): ToolRanking {
  const postings = createPostings();
  const servers = new Map<string, IndexedServer>();
  const byName = new Map<string, string[]>();
  const slots = new Map<string, number>();
  const tools: (IndexedTool | undefined)[] = [];
  const freeSlots: number[] = [];
  const freeNumbers: number[] = [];
  let serverNumbers = 0;
  let added = 0;

  function serverOf(name: string): IndexedServer {
    let server = servers.get(name);
    if (!server) {
      server = { name, number: freeNumbers.pop() ?? serverNumbers++, size: 0 };
      servers.set(name, server);
    }
    return server;
  }

  function put(tool: ToolIdentity, terms: ReadonlyMap<string, number>): void {
    remove(tool.id);
    const slot = freeSlots.pop() ?? tools.length;
    const server = serverOf(tool.server);
    server.size++;
    // `slice` gives the list the memory of its elements only.
    const names = [...new Set([normalizedName(tool.name), normalizedName(tool.id)])].filter(Boolean).slice();
    for (const name of names) {
      const ids = byName.get(name);
      if (ids) ids.push(tool.id);
      else byName.set(name, [tool.id]);
    }
    const held = [...terms].map(([term, weight]) => postings.add(term, slot, weight));
    tools[slot] = { id: tool.id, server, postings: held, names, added: ++added };
    slots.set(tool.id, slot);
  }

  function remove(id: string): void {
    const slot = slots.get(id);
    if (slot === undefined) return;
    const { server, names, postings: heldPostings } = tools[slot]!;
    for (const posting of heldPostings) postings.take(posting, slot);
    for (const name of names) {
      const ids = byName.get(name)!;
      if (ids.length === 1) byName.delete(name);
      else ids.splice(ids.indexOf(id), 1);
    }
    if (--server.size === 0) {
      servers.delete(server.name);
      freeNumbers.push(server.number);
    }
    tools[slot] = undefined;
    freeSlots.push(slot);
    slots.delete(id);
  }

  function* search(query: string, isWithin: (server: string) => boolean = everywhere): Generator<void, RankedMatches> {
    const text = query.slice(0, MAX_QUERY);
    const within = new Uint8Array(serverNumbers);
    let size = 0;
    for (const server of servers.values()) {
      if (!isWithin(server.name)) continue;
      within[server.number] = 1;
      size += server.size;
    }
    const searched: SearchedTools = { tools, within, newest: added };
    const sought = yield* seekTerms(text, { postings, searched, size, isLimited: size < slots.size });
    const scored = yield* scoreTools(sought, searched);
    yield* raiseNamed(text, scored, searched);
    const { ids, scores } = scored;
    const order = ids.map((_, at) => at);
    yield;
    const best = yield* bestFirst(order, (a, b) =>
      scores[a] === scores[b] ? ids[a]! < ids[b]! : scores[a]! > scores[b]!,
    );
    return {
      ids,
      *[Symbol.iterator]() {
        for (const at of best) yield { id: ids[at]!, score: scores[at]! };
      },
    };
  }

  /** Gives the tools whose name or id is the query the highest score. */
  function* raiseNamed(text: string, { ids, scores }: ScoredTools, searched: SearchedTools): Generator<void, void> {
    const named = new Set(byName.get(normalizedName(text)));
    for (const id of named) if (!isSearched(tools[slots.get(id)!]!, searched)) named.delete(id);
    if (named.size === 0) return;
    let highest = 1;
    const at: number[] = [];
    for (let i = 0; i < ids.length; i++) {
      highest = Math.max(highest, scores[i]!);
      if (named.delete(ids[i]!)) at.push(i);
      if (i % STEP === STEP - 1) yield;
    }
    for (const i of at) scores[i] = NAMED * highest;
    for (const id of named) {
      ids.push(id);
      scores.push(NAMED * highest);
    }
  }

  return {
    put,
    remove,
    search,
    get size() {
      return slots.size;
    },
  };
}

function everywhere(): boolean {
  return true;
}
