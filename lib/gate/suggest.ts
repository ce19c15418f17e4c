/** At most this many suggestions (spec 000 §8). */
const LIMIT = 3;
/** Farthest misspelling that still counts. */
const REACH = 2;
/** Asked ids longer than this are no misspelling of anything. */
const LONGEST = 512;

/**
 * The known ids that an unknown one may have meant, best first: those that one is a beginning of the other, then those
 * at most two edits away; nearer before farther, then by name. Letter case does not count.
 *
 * @param candidates what the caller may see, nothing else: whatever is in here may be told
 */
export function suggest(asked: string, candidates: Iterable<string>): string[] {
  if (asked === "" || asked.length > LONGEST) return [];
  const wanted = asked.toLowerCase();
  const found: { id: string; prefix: boolean; distance: number }[] = [];
  for (const id of candidates) {
    if (id === asked) continue;
    const known = id.toLowerCase();
    const prefix = known.startsWith(wanted) || wanted.startsWith(known);
    const distance = prefix ? Math.abs(known.length - wanted.length) : editDistance(wanted, known);
    if (prefix || distance <= REACH) found.push({ id, prefix, distance });
  }
  found.sort((a, b) => Number(b.prefix) - Number(a.prefix) || a.distance - b.distance || compare(a.id, b.id));
  return found.slice(0, LIMIT).map((f) => f.id);
}

/** Levenshtein distance, or `REACH + 1` for anything farther; looks at a band around the diagonal only. */
function editDistance(a: string, b: string): number {
  const far = REACH + 1;
  if (Math.abs(a.length - b.length) > REACH) return far;
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(far);
    row[0] = i;
    let nearest = far;
    for (let j = Math.max(1, i - REACH); j <= Math.min(b.length, i + REACH); j++) {
      const kept = above[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(kept, above[j]! + 1, row[j - 1]! + 1);
      nearest = Math.min(nearest, row[j]!);
    }
    if (nearest > REACH && i > REACH) return far;
    above = row;
  }
  return Math.min(above[b.length]!, far);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
