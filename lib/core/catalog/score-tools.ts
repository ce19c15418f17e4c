import { POSTING_PAGE_SIZE, type Posting } from "./postings.ts";

/** A server in the index of tools. */
export interface IndexedServer {
  readonly name: string;
  /** Identifies the server while it has tools. */
  readonly number: number;
  /** Number of its tools. */
  size: number;
}

/** A tool in the index. */
export interface IndexedTool {
  readonly id: string;
  readonly server: IndexedServer;
  readonly postings: readonly Posting[];
  readonly names: readonly string[];
  /** Increases with each tool that is added. */
  readonly added: number;
}

/** One thing that a query asks for: the terms that match it, with their weights. */
export type Sought = ReadonlyMap<Posting, number>;

/** The tools among which a search takes place. The index may change while it runs. */
export interface SearchedTools {
  /** The tools by slot. */
  readonly tools: readonly (IndexedTool | undefined)[];
  /** 1 for each server that the search includes, by its number. */
  readonly within: Uint8Array;
  /** `added` of the newest tool when the search began; newer tools may use the slots of removed ones. */
  readonly newest: number;
}

/** Ids of the matching tools, and their scores at the same index. */
export interface ScoredTools {
  readonly ids: string[];
  readonly scores: number[];
}

/** The share of the score that depends on how much of the query a tool matches. */
const COVERAGE = 0.5;
/** The weight of the matches of other tools on the same server: "slide" is asked of a presentation server. */
const NEIGHBOURS = 0.5;
/** Reduces this weight for small servers: they count as if they had this many more tools without a match. */
const NEIGHBOURS_PRIOR = 3;
/** Number of tools in one step. */
const STEP = 1024;

/**
 * Rates all matching tools, in small steps. For each thing asked for, a tool gets the score of its best term; the sum
 * is adjusted by coverage and by the other tools of the server.
 */
export function* scoreTools(all: readonly Sought[], searched: SearchedTools): Generator<void, ScoredTools> {
  const { tools } = searched;
  const best = new Float64Array(tools.length);
  const total = new Float64Array(tools.length);
  const matched = new Uint8Array(tools.length);
  const sums = new Float64Array(searched.within.length);
  const touched: number[] = [];
  for (const sought of all) {
    const hits = yield* bestOf(sought, best);
    for (let i = 0; i < hits.length; i++) {
      const slot = hits[i]!;
      if (matched[slot] === 0) touched.push(slot);
      matched[slot]!++;
      total[slot]! += best[slot]!;
      const tool = tools[slot];
      if (tool) sums[tool.server.number]! += best[slot]!;
      best[slot] = 0;
      if (i % STEP === STEP - 1) yield;
    }
  }
  const found: ScoredTools = { ids: [], scores: [] };
  for (let i = 0; i < touched.length; i++) {
    const slot = touched[i]!;
    const tool = tools[slot];
    if (tool && isSearched(tool, searched)) {
      const { server } = tool;
      const covered = 1 - COVERAGE + (COVERAGE * matched[slot]!) / all.length;
      const neighbours = (NEIGHBOURS * sums[server.number]!) / (server.size + NEIGHBOURS_PRIOR);
      found.ids.push(tool.id);
      found.scores.push(total[slot]! * covered + neighbours);
    }
    if (i % STEP === STEP - 1) yield;
  }
  return found;
}

/** True if a tool belongs to the search, and was in the index when it began. */
export function isSearched({ server, added }: IndexedTool, { within, newest }: SearchedTools): boolean {
  return within[server.number] === 1 && added <= newest;
}

/** Sets `best` for one thing asked for; returns the slots that were set. */
function* bestOf(sought: Sought, best: Float64Array): Generator<void, number[]> {
  const hit: number[] = [];
  for (const [{ pages }, worth] of sought)
    for (const { slots, weights } of pages) {
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i]!;
        const gain = weights[i]! * worth;
        if (best[slot] === 0) hit.push(slot);
        if (gain > best[slot]!) best[slot] = gain;
      }
      if (slots.length === POSTING_PAGE_SIZE) yield;
    }
  return hit;
}
