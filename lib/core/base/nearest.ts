import { editDistance } from "./edit-distance.ts";

/**
 * Returns the candidates that are most similar to a word, best first, for "did you mean".
 *
 * @param max maximum number of results
 * @returns only candidates that begin with the word, or differ from it by at most a third of its length in edits (at
 *   least one edit; a swap counts as one)
 */
export function nearestWords(word: string, candidates: Iterable<string>, max: number): string[] {
  const lowerWord = word.toLowerCase();
  const limit = Math.max(1, Math.floor(lowerWord.length / 3));
  const scored: { candidate: string; far: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const lowerCandidate = candidate.toLowerCase();
    const begun = lowerWord.length > 1 && lowerCandidate.startsWith(lowerWord);
    const far = begun ? lowerCandidate.length - lowerWord.length : editDistance(lowerWord, lowerCandidate, limit);
    if (begun || far <= limit) scored.push({ candidate, far });
  }
  scored.sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, max).map((s) => s.candidate);
}
