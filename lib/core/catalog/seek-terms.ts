import { POSTING_PAGE_SIZE, type Posting, type Postings } from "./postings.ts";
import { isSearched, type SearchedTools, type Sought } from "./score-tools.ts";
import { synonymsOf } from "./synonyms.ts";
import { type QueryTerm, queryTerms } from "./terms.ts";

/** Where the terms of a query are looked up. */
interface TermLookup {
  readonly postings: Postings;
  readonly searched: SearchedTools;
  /** Number of tools in the search. */
  readonly size: number;
  /** True if the search excludes tools of the index. */
  readonly isLimited: boolean;
}

/** Maximum number of things that one query can ask for; the rest is ignored. */
const MAX_SOUGHT = 64;

/** Returns, in small steps, what a query asks for: for each of its words the terms of the index that match it. */
export function* seekTerms(query: string, lookup: TermLookup): Generator<void, Sought[]> {
  const { words, joined } = queryTerms(query);
  const all: Sought[] = [];
  for (const word of words) all.push(yield* seek([word], true, lookup));
  for (const terms of joined) all.push(yield* seek(terms, false, lookup));
  return all.filter((sought) => sought.size > 0).slice(0, MAX_SOUGHT);
}

function* seek(queryTerm: QueryTerm, guessing: boolean, lookup: TermLookup): Generator<void, Sought> {
  const { postings } = lookup;
  const sought = new Map<Posting, number>();
  function* offer(posting: Posting | undefined, weight: number, maxWeight = Number.POSITIVE_INFINITY) {
    if (!posting) return;
    const among = yield* countTools(posting, lookup);
    const worth = weight * Math.min(rarity(among, lookup.size), maxWeight);
    if (among > 0 && worth > (sought.get(posting) ?? 0)) sought.set(posting, worth);
  }
  for (const term of queryTerm) yield* offer(postings.get(term), 1);
  // A rare synonym must not count more than the common word for which it stands.
  const maxWeight = sought.size > 0 ? Math.max(...sought.values()) : Number.POSITIVE_INFINITY;
  if (guessing && sought.size === 0)
    for (const [posting, weight] of postings.guess(queryTerm[0], (found) => isKnown(found, lookup)))
      yield* offer(posting, weight);
  for (const term of queryTerm)
    for (const [other, weight] of synonymsOf(term)) yield* offer(postings.get(other), weight, maxWeight);
  return sought;
}

/** Returns how many tools in the search contain a term. */
function* countTools({ size, pages }: Posting, { isLimited, searched }: TermLookup): Generator<void, number> {
  if (!isLimited) return size;
  let count = 0;
  for (const { slots } of pages) {
    for (const slot of slots) if (isWithin(slot, searched)) count++;
    if (slots.length === POSTING_PAGE_SIZE) yield;
  }
  return count;
}

function isKnown({ pages }: Posting, { isLimited, searched }: TermLookup): boolean {
  return !isLimited || pages.some(({ slots }) => slots.some((slot) => isWithin(slot, searched)));
}

function isWithin(slot: number, searched: SearchedTools): boolean {
  const tool = searched.tools[slot];
  return tool !== undefined && isSearched(tool, searched);
}

/** Returns the inverse document frequency as in BM25: near 0 for a term that every tool contains. */
function rarity(among: number, size: number): number {
  return Math.log(1 + (size - among + 0.5) / (among + 0.5));
}
