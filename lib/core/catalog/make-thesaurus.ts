import { queryTerms } from "./terms.ts";
import thesaurus from "./thesaurus.txt";

/**
 * Makes the text in which `synonymsOf` looks terms up, for the build: for each term a line with the terms that may stand
 * for it, separated by spaces, in the order of the terms. A `-` precedes a word for a special kind.
 */
export function makeThesaurus(): string {
  const rows = new Map<string, Map<string, "" | "-">>();
  const put = (from: string, to: string, mark: "" | "-") => {
    if (from === to) return;
    const row = rows.get(from) ?? new Map<string, "" | "-">();
    rows.set(from, row.set(to, row.get(to) === "" ? "" : mark));
  };
  for (const line of thesaurus.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [left = [], right] = line.split(">").map((words) => queryTerms(words).words);
    for (const a of left)
      for (const b of right ?? left) {
        put(a, b, "");
        put(b, a, right ? "-" : "");
      }
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([term, row]) => `${[term, ...[...row].map(([to, mark]) => mark + to)].join(" ")}\n`)
    .join("");
}
