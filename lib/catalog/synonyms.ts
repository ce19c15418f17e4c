import { wantedBy } from "./analyze.ts";
import { THESAURUS } from "./thesaurus.ts";

/** How much a word counts that stands for the one that was asked for. */
const SAME = 0.6;
/** The same for a kind of what was asked for: "bitcoin" where somebody asked for a currency. */
const KIND = 0.3;

let table: Map<string, Map<string, number>> | undefined;

/** Reads the thesaurus now, so that no search has to wait for it (some 30 ms). */
export function loadSynonyms(): void {
  table ??= parse(THESAURUS);
}

/** The terms that may stand for a term, with how much each counts (0 to 1). */
export function synonymsOf(term: string): ReadonlyMap<string, number> | undefined {
  loadSynonyms();
  return table?.get(term);
}

function parse(text: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const put = (from: string, to: string, weight: number) => {
    if (from === to) return;
    const row = found.get(from) ?? new Map<string, number>();
    found.set(from, row.set(to, Math.max(weight, row.get(to) ?? 0)));
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) continue;
    const [left = [], right] = line.split(">").map((words) => wantedBy(words).words);
    for (const a of left)
      for (const b of right ?? left) {
        put(a, b, SAME);
        put(b, a, right ? KIND : SAME);
      }
  }
  return found;
}
