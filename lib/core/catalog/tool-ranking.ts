import { bestFirst } from "./best-first.ts";
import { createPostings, type Posting } from "./postings.ts";
import { synonymsOf } from "./synonyms.ts";
import { normalizedName, type QueryTerm, queryTerms } from "./terms.ts";

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
   * Yields every match, best first; only the matches that the caller takes are sorted. If the query is the name or id
   * of a tool, in any spelling, that tool comes first. Scores are finite and descending; equal ones are sorted by id.
   *
   * @param within selects the servers whose tools are ranked; called once for each server. Other servers have no
   *   influence: scores and guesses are as if they did not exist
   */
  search(query: string, within?: (server: string) => boolean): Iterable<IndexMatch>;
}

/** The share of the score that depends on how much of the query a tool matches. */
const COVERAGE = 0.5;
/** The weight of the matches of other tools on the same server: "slide" is asked of a presentation server. */
const NEIGHBOURS = 0.5;
/** Reduces this weight for small servers: they count as if they had this many more tools without a match. */
const NEIGHBOURS_PRIOR = 3;
/** Maximum length of a query; the rest is ignored (characters). */
const MAX_QUERY = 1000;
/** Maximum number of things that one query can ask for; the rest is ignored. */
const MAX_SOUGHT = 64;

interface Server {
  readonly name: string;
  size: number;
  /** The sum of the scores on this server in the current search; `within`: whether the search includes the server. */
  sum: number;
  within: boolean;
}
interface Entry {
  readonly id: string;
  readonly server: Server;
  readonly postings: readonly Posting[];
  readonly names: readonly string[];
}
/** One thing that a query asks for: the terms that match it, with their weights. */
type Sought = ReadonlyMap<Posting, number>;

export function createToolRanking(): ToolRanking {
  const postings = createPostings();
  const servers = new Map<string, Server>();
  const byName = new Map<string, Set<string>>();
  const slots = new Map<string, number>();
  const entries: (Entry | undefined)[] = [];
  const free: number[] = [];
  /** Working arrays of a search, by slot. They contain only zeros between searches. */
  let best = new Float64Array(0);
  let total = new Float64Array(0);
  let matched = new Uint8Array(0);
  /** Number of tools in the current search, and whether the search excludes any tools. */
  let size = 0;
  let limited = false;

  function put(tool: ToolIdentity, terms: ReadonlyMap<string, number>): void {
    remove(tool.id);
    const slot = free.pop() ?? entries.length;
    const server = servers.get(tool.server) ?? { name: tool.server, size: 0, sum: 0, within: true };
    servers.set(tool.server, server);
    server.size++;
    const names = [...new Set([normalizedName(tool.name), normalizedName(tool.id)])].filter(Boolean);
    for (const name of names) byName.set(name, (byName.get(name) ?? new Set()).add(tool.id));
    const held = [...terms].map(([term, weight]) => postings.add(term, slot, weight));
    entries[slot] = { id: tool.id, server, postings: held, names };
    slots.set(tool.id, slot);
  }

  function remove(id: string): void {
    const slot = slots.get(id);
    if (slot === undefined) return;
    const { server, names, postings: heldPostings } = entries[slot]!;
    for (const posting of heldPostings) postings.take(posting, slot);
    for (const name of names) {
      byName.get(name)?.delete(id);
      if (byName.get(name)?.size === 0) byName.delete(name);
    }
    if (--server.size === 0) servers.delete(server.name);
    entries[slot] = undefined;
    free.push(slot);
    slots.delete(id);
  }

  function* search(query: string, within: (server: string) => boolean = everywhere): Generator<IndexMatch, void, void> {
    const text = query.slice(0, MAX_QUERY);
    size = 0;
    for (const server of servers.values()) {
      server.within = within(server.name);
      if (server.within) size += server.size;
    }
    limited = size < slots.size;
    const found = score(read(text));
    const top = 1.5 * found.reduce((highest, f) => Math.max(highest, f.score), 1);
    const named = new Set([...(byName.get(normalizedName(text)) ?? [])].filter(isWithin).sort());
    for (const id of named) yield { id, score: top };
    for (const f of bestFirst(found, (a, b) => a.score > b.score || (a.score === b.score && a.id < b.id)))
      if (!named.has(f.id)) yield f;
  }

  function isWithin(id: string): boolean {
    return entries[slots.get(id)!]!.server.within;
  }

  function read(query: string): Sought[] {
    const { words, joined } = queryTerms(query);
    return [...words.map((word) => seek([word], true)), ...joined.map((terms) => seek(terms, false))]
      .filter((sought) => sought.size > 0)
      .slice(0, MAX_SOUGHT);
  }

  function seek(queryTerm: QueryTerm, guessing: boolean): Sought {
    const sought = new Map<Posting, number>();
    const offer = (posting: Posting | undefined, weight: number, maxWeight = Number.POSITIVE_INFINITY) => {
      const among = posting ? tools(posting) : 0;
      const worth = weight * Math.min(rarity(among), maxWeight);
      if (posting && among > 0 && worth > (sought.get(posting) ?? 0)) sought.set(posting, worth);
    };
    for (const term of queryTerm) offer(postings.get(term), 1);
    // A rare synonym must not count more than the common word for which it stands.
    const maxWeight = sought.size > 0 ? Math.max(...sought.values()) : Number.POSITIVE_INFINITY;
    if (guessing && sought.size === 0)
      for (const [posting, weight] of postings.guess(queryTerm[0], isKnown)) offer(posting, weight);
    for (const term of queryTerm)
      for (const [other, weight] of synonymsOf(term)) offer(postings.get(other), weight, maxWeight);
    return sought;
  }

  /** Returns how many tools in the current search contain a term. */
  function tools({ size, pages }: Posting): number {
    if (!limited) return size;
    let n = 0;
    for (const { slots } of pages) for (const slot of slots) if (entries[slot]!.server.within) n++;
    return n;
  }

  function isKnown({ pages }: Posting): boolean {
    return !limited || pages.some(({ slots }) => slots.some((slot) => entries[slot]!.server.within));
  }

  /** Returns the inverse document frequency as in BM25: near 0 for a term that every tool contains. */
  function rarity(among: number): number {
    return Math.log(1 + (size - among + 0.5) / (among + 0.5));
  }

  /**
   * Rates all tools. For each thing asked for, a tool gets the score of its best term; the sum is adjusted by coverage
   * and by the other tools of the server.
   */
  function score(all: readonly Sought[]): IndexMatch[] {
    if (best.length < entries.length) {
      best = new Float64Array(entries.length * 2);
      total = new Float64Array(entries.length * 2);
      matched = new Uint8Array(entries.length * 2);
    }
    const touched: number[] = [];
    for (const sought of all)
      for (const slot of bestOf(sought)) {
        if (matched[slot] === 0) touched.push(slot);
        matched[slot]!++;
        total[slot]! += best[slot]!;
        entries[slot]!.server.sum += best[slot]!;
        best[slot] = 0;
      }
    const found: IndexMatch[] = [];
    for (const slot of touched) {
      const { id, server } = entries[slot]!;
      if (!server.within) continue;
      const covered = 1 - COVERAGE + (COVERAGE * matched[slot]!) / all.length;
      const neighbours = (NEIGHBOURS * server.sum) / (server.size + NEIGHBOURS_PRIOR);
      found.push({ id, score: total[slot]! * covered + neighbours });
    }
    for (const slot of touched) {
      total[slot] = matched[slot] = 0;
      entries[slot]!.server.sum = 0;
    }
    return found;
  }

  /** Sets `best` for one thing asked for; returns the slots that were set. */
  function bestOf(sought: Sought): number[] {
    const hit: number[] = [];
    for (const [{ pages }, worth] of sought)
      for (const { slots, weights } of pages)
        for (let i = 0; i < slots.length; i++) {
          const slot = slots[i]!;
          const gain = weights[i]! * worth;
          if (best[slot] === 0) hit.push(slot);
          if (gain > best[slot]!) best[slot] = gain;
        }
    return hit;
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
