import { editDistance } from "../base/edit-distance.ts";

/**
 * The tools one term stands in. They are listed in pages, since many terms stand in every tool: as one array each, they
 * would all be copied to larger ones at the same tool, which takes 100 ms among 100,000 tools.
 */
export interface Posting {
  readonly term: string;
  /** How many tools have the term. */
  size: number;
  /** All but the last are full. */
  readonly pages: PostingPage[];
}

/** Tools by slot, and the weight of the term in each. */
interface PostingPage {
  readonly slots: number[];
  readonly weights: number[];
}

/** Tools in one page. */
export const POSTING_PAGE_SIZE = 1024;

/** The postings of every term in use. */
interface Postings {
  get(term: string): Posting | undefined;
  /** Notes that a tool has a term; the answer is handed back to `take` when the tool goes. */
  add(term: string, slot: number, weight: number): Posting;
  take(posting: Posting, slot: number): void;
  /**
   * The terms that a word which is in no tool may stand for, with how sure that is: those it is a beginning of, else
   * those that are one slip of the finger away.
   *
   * @param known leaves out the terms of tools that are none for this search
   */
  guess(word: string, known: (posting: Posting) => boolean): [Posting, number][];
}

/** What a term counts that differs from the word by a slip. */
const SLIP = 0.7;
/** Shorter words are slips of too many others. */
const SLIP_FROM_LENGTH = 5;
const BEGINNING_FROM_LENGTH = 3;
const MAX_BEGINNINGS = 50;

export function createPostings(): Postings {
  const byTerm = new Map<string, Posting>();
  /** By the first two characters, so that guessing looks at few of them. */
  const byBeginning = new Map<string, Map<string, Posting>>();

  function begin(term: string): Posting {
    const posting = { term, size: 0, pages: [] };
    byTerm.set(term, posting);
    const key = term.slice(0, 2);
    const near = byBeginning.get(key);
    if (near) near.set(term, posting);
    else byBeginning.set(key, new Map([[term, posting]]));
    return posting;
  }

  function end({ term }: Posting): void {
    byTerm.delete(term);
    const near = byBeginning.get(term.slice(0, 2));
    near?.delete(term);
    if (near?.size === 0) byBeginning.delete(term.slice(0, 2));
  }

  return {
    get: (term) => byTerm.get(term),

    add(term, slot, weight) {
      const posting = byTerm.get(term) ?? begin(term);
      if (posting.size % POSTING_PAGE_SIZE === 0) posting.pages.push({ slots: [], weights: [] });
      const { slots, weights } = posting.pages.at(-1)!;
      slots.push(slot);
      weights.push(weight);
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
      const near = [...(byBeginning.get(word.slice(0, 2))?.values() ?? [])];
      const begun = word.length < BEGINNING_FROM_LENGTH ? [] : near.filter((p) => p.term.startsWith(word) && known(p));
      if (begun.length > 0) return firstOf(begun).map((posting) => [posting, 1]);
      if (word.length < SLIP_FROM_LENGTH) return [];
      return near.filter((p) => editDistance(p.term, word, 1) <= 1 && known(p)).map((posting) => [posting, SLIP]);
    },
  };
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

/** Not the first to have come, since that may have been with a tool that is none for this search. */
function firstOf(begun: Posting[]): Posting[] {
  if (begun.length <= MAX_BEGINNINGS) return begun;
  return begun.sort((a, b) => (a.term < b.term ? -1 : 1)).slice(0, MAX_BEGINNINGS);
}
