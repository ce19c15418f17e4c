import { CONCEPT_BITS, CONCEPT_ID, plainForm } from "./lexicon.ts";
import { makeWordTable, type WordMeaning } from "./make-word-table.ts";
import { type Concept, LANGUAGE_NAMES } from "./words/concepts.ts";
import { LANGUAGES } from "./words/index.ts";

/** Scripts without spaces between words, or with endings that the lists do not contain. */
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]/;

/** Makes the tables of the lexicon from the word lists, for the build: the words of all lists, or those of one concept. */
export function makeLexicon(only?: Concept): Uint8Array {
  return makeWordTable(
    LANGUAGE_NAMES.flatMap((name, language) =>
      Object.entries(LANGUAGES[name])
        .filter(([concept]) => only === undefined || concept === only)
        .flatMap(([concept, words]) => meaningsOf(words, (language << CONCEPT_BITS) | CONCEPT_ID[concept as Concept])),
    ),
  );
}

/** @param words separated by `|`; `*` at the end of a word matches any ending */
function meaningsOf(words: string, value: number): WordMeaning[] {
  return words.split("|").map((entry) => {
    const stem = entry.endsWith("*") ? entry.slice(0, -1) : entry;
    return { word: plainForm(stem), isStart: stem !== entry || UNSPACED.test(stem.at(-1)!), value };
  });
}
