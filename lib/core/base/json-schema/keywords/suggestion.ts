import { nearestWords } from "../../nearest.ts";

/** Options and names that a wrong one is compared with. */
export const MAX_COMPARED = 500;
/** Longest text that suggestions are made for (characters). */
export const MAX_SUGGESTED_LENGTH = 200;

/** What was probably meant, as the end of a message; empty where nothing is near. */
export function suggestion(word: string, words: readonly string[]): string {
  const [near] = nearestWords(word, words, 1);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}
