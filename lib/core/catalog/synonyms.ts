import { inSlices } from "./slices.ts";
import { queryTerms } from "./terms.ts";
import thesaurus from "./thesaurus.txt";

/** How much a word counts that stands for the one that was asked for. */
const SAME = 0.6;
/** The same for a kind of what was asked for: "bitcoin" where somebody asked for a currency. */
const KIND = 0.3;

/** Read in one go. */
const LINES = 20;

type Table = Map<string, Map<string, number>>;

let table: Table | undefined;

/** Reads the thesaurus, a slice at a time, so that no search has to wait for it (some 30 ms). */
export async function loadSynonyms(): Promise<void> {
  if (table) return;
  const found: Table = new Map();
  await inSlices(linesOf(thesaurus), LINES, (lines) => {
    for (const line of lines) take(line, found);
  });
  table ??= found;
}

/** The terms that may stand for a term, with how much each counts (0 to 1). */
export function synonymsOf(term: string): ReadonlyMap<string, number> | undefined {
  table ??= parse(thesaurus);
  return table.get(term);
}

function parse(text: string): Table {
  const found: Table = new Map();
  for (const line of linesOf(text)) take(line, found);
  return found;
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
