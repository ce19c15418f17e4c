import { asset } from "../base/asset.ts";
import { lazy } from "../base/lazy.ts";

/** The weight of a synonym, relative to the word in the query. */
const SAME = 0.6;
/** The weight of a word for a special kind of what the query names: "bitcoin" for "currency". */
const KIND = 0.3;

/** One line for each term, sorted; the build makes it (`make-thesaurus.ts`). */
const lines = lazy(() => asset("synonyms.txt").toString());

/** Returns the terms that may stand for a term, with their weights (0 to 1). */
export function synonymsOf(term: string): [term: string, weight: number][] {
  return lineOf(lines(), term)
    .split(" ")
    .slice(1)
    .map((other) => (other.startsWith("-") ? [other.slice(1), KIND] : [other, SAME]));
}

/** Finds the line that starts with a term, without its end; empty if there is none. */
function lineOf(text: string, term: string): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const from = text.lastIndexOf("\n", middle - 1) + 1;
    const end = text.indexOf("\n", middle);
    const found = text.slice(from, text.indexOf(" ", from));
    if (found === term) return text.slice(from, end);
    if (found < term) low = end + 1;
    else high = from;
  }
  return "";
}
