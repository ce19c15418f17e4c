import { lazy } from "../base/lazy.ts";
import { inSlices } from "./slices.ts";
import { queryTerms } from "./terms.ts";
import thesaurus from "./thesaurus.txt";

/** The weight of a synonym, relative to the word in the query. */
const SAME = 0.6;
/** The weight of a word for a special kind of what the query names: "bitcoin" for "currency". */
const KIND = 0.3;

/** Number of lines read in one step. */
const LINES = 20;

type Table = Map<string, Map<string, number>>;

/** Loads the thesaurus in slices, so that no search has to wait for it (about 30 ms). */
export function loadSynonyms(): Promise<void> {
  return synonyms.load();
}

/** Returns the terms that may stand for a term, with their weights (0 to 1). */
export function synonymsOf(term: string): ReadonlyMap<string, number> | undefined {
  return synonyms.table().get(term);
}

const synonyms = synonymTable();

/** The table of the built-in thesaurus. A search that comes before it is loaded reads the rest at once. */
function synonymTable() {
  const unread = lazy(() => linesOf(thesaurus));
  const table: Table = new Map();
  const read = (count: number) => {
    for (const line of unread().splice(0, count)) take(line, table);
  };
  return {
    load: () => inSlices([...unread()], LINES, ({ length }) => read(length)),
    table: (): Table => {
      if (unread().length > 0) read(unread().length);
      return table;
    },
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function take(line: string, found: Table): void {
  const put = (from: string, to: string, weight: number) => {
    if (from === to) return;
    const row = found.get(from) ?? new Map<string, number>();
    found.set(from, row.set(to, Math.max(weight, row.get(to) ?? 0)));
  };
  const [left = [], right] = line.split(">").map((words) => queryTerms(words).words);
  for (const a of left)
    for (const b of right ?? left) {
      put(a, b, SAME);
      put(b, a, right ? KIND : SAME);
    }
}
