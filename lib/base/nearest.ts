/**
 * The candidates closest to what was written, best first: for "did you mean".
 *
 * @param max at most this many
 * @returns only those within a third of the word's length in edits (at least one, a swap counting one), or starting
 *   with the word
 */
export function nearest(word: string, candidates: Iterable<string>, max: number): string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { candidate: string; edits: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const known = candidate.toLowerCase();
    const begun = wanted.length > 1 && known.startsWith(wanted);
    if (!begun && Math.abs(known.length - wanted.length) > limit) continue;
    const edits = distance(wanted, known);
    if (begun || edits <= limit) scored.push({ candidate, edits });
  }
  scored.sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, max).map((s) => s.candidate);
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(old[j]! + 1, row[j - 1]! + 1, old[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, older[j - 2]! + 1);
      row.push(least);
    }
    [older, old] = [old, row];
  }
  return old[b.length]!;
}
