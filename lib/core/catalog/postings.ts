import { editDistance } from "../base/edit-distance.ts";

/**
 * The tools that contain a term. They are stored in pages: a common term occurs in all of 100,000 tools, and single
 * arrays of that size would all be enlarged by the same insertion, which takes 100 ms.
 */
export interface Posting {
  readonly term: string;
  /** Number of tools that contain the term. */
  size: number;
  /** All pages except the last are full. */
  pages: PostingPage[];
}

/** The slots of tools, and the weight of the term in each tool. */
interface PostingPage {
  readonly slots: number[];
  readonly weights: number[];
}

/** Number of tools in one page. */
export const POSTING_PAGE_SIZE = 1024;

/** The postings of every term that occurs. */
export interface Postings {
  get(term: string): Posting | undefined;
  /** Adds a tool to a term. The caller passes the returned posting to `take` when it removes the tool. */
  add(term: string, slot: number, weight: number): Posting;
  take(posting: Posting, slot: number): void;
  /**
   * Returns terms that a word without a match may stand for, each with a factor for its weight: the terms that begin
   * with the word or, if there are none, those at an edit distance of one.
   *
   * @param known false for a term that occurs only in tools outside this search
   */
  guess(word: string, known: (posting: Posting) => boolean): [Posting, number][];
}

/** The factor for a term that differs from the word by one edit. */
const SLIP = 0.7;
/** Shorter words are one edit away from too many others. */
const SLIP_FROM_LENGTH = 5;
const BEGINNING_FROM_LENGTH = 3;
const MAX_BEGINNINGS = 50;

/** Makes an empty index of words. */
export function createPostings(): Postings {
  const byTerm = new Map<string, Posting>();
  /** Postings by the first two characters of the term, so that `guess` compares few of them. */
  const byBeginning = new Map<string, Map<string, Posting>>();

  function begin(term: string): Posting {
    const posting: Posting = { term, size: 0, pages: [] };
    byTerm.set(term, posting);
    const key = term.slice(0, 2);
    const group = byBeginning.get(key);
    if (group) group.set(term, posting);
    else byBeginning.set(key, new Map([[term, posting]]));
    return posting;
  }

  function end({ term }: Posting): void {
    byTerm.delete(term);
    const group = byBeginning.get(term.slice(0, 2));
    group?.delete(term);
    if (group?.size === 0) byBeginning.delete(term.slice(0, 2));
  }

  return {
    get: (term) => byTerm.get(term),

    add(term, slot, weight) {
      const posting = byTerm.get(term) ?? begin(term);
      if (posting.size === 0) posting.pages = [pageOf(slot, weight)];
      else if (posting.size % POSTING_PAGE_SIZE === 0) posting.pages.push(pageOf(slot, weight));
      else {
        const { slots, weights } = posting.pages.at(-1)!;
        slots.push(slot);
        weights.push(weight);
      }
      posting.size++;
      return posting;
    },

    take(posting, slot) {
      const last = posting.pages.at(-1)!;
      const [lastSlot, lastWeight] = [last.slots.pop()!, last.weights.pop()!];
      if (lastSlot !== slot) replace(posting, slot, lastSlot, lastWeight);
      if (last.slots.length === 0) posting.pages.pop();
      if (--posting.size === 0) end(posting);
    },

    guess(word, known) {
      const group = [...(byBeginning.get(word.slice(0, 2))?.values() ?? [])];
      const begun = word.length < BEGINNING_FROM_LENGTH ? [] : group.filter((p) => p.term.startsWith(word) && known(p));
      if (begun.length > 0) return firstOf(begun).map((posting) => [posting, 1]);
      if (word.length < SLIP_FROM_LENGTH) return [];
      return group.filter((p) => editDistance(p.term, word, 1) <= 1 && known(p)).map((posting) => [posting, SLIP]);
    },
  };
}

/** Returns a page with one tool. A literal takes the memory of one element; the first `push` would take that of 17. */
function pageOf(slot: number, weight: number): PostingPage {
  return { slots: [slot], weights: [weight] };
}

function replace({ pages }: Posting, slot: number, by: number, weight: number): void {
  for (const { slots, weights } of pages) {
    const at = slots.indexOf(slot);
    if (at < 0) continue;
    slots[at] = by;
    weights[at] = weight;
    return;
  }
}

/**
 * Returns the first terms in alphabetical order. The order of insertion is not used, because it may depend on tools
 * outside the search.
 */
function firstOf(begun: Posting[]): Posting[] {
  if (begun.length <= MAX_BEGINNINGS) return begun;
  return begun.sort((a, b) => (a.term < b.term ? -1 : 1)).slice(0, MAX_BEGINNINGS);
}
