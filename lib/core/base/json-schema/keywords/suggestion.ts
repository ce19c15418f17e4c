import { nearestWords } from "../../nearest.ts";

/** Maximum number of options and names that a wrong one is compared with. */
export const MAX_COMPARED = 500;
/** No suggestions are made for longer texts (characters). */
export const MAX_SUGGESTED_LENGTH = 200;

/** Returns the probably intended word as the end of a message (`; did you mean …?`); empty if no word is similar. */
export function suggestion(word: string, words: readonly string[]): string {
  const [near] = nearestWords(word, words, 1);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}
