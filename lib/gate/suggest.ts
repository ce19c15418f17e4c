import { edits } from "../base/edits.ts";

/** At most this many suggestions (spec 000 §8). */
const LIMIT = 3;
/** Farthest misspelling that still counts. */
const REACH = 2;
/** Asked ids longer than this are no misspelling of anything. */
const LONGEST = 512;

/**
 * The known ids that an unknown one may have meant, best first: those that one is a beginning of the other, then those
 * at most two edits away (a swap counts one); nearer before farther, then by name. Letter case does not count.
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
    const distance = prefix ? Math.abs(known.length - wanted.length) : edits(wanted, known, REACH);
    if (prefix || distance <= REACH) found.push({ id, prefix, distance });
  }
  found.sort((a, b) => Number(b.prefix) - Number(a.prefix) || a.distance - b.distance || compare(a.id, b.id));
  return found.slice(0, LIMIT).map((f) => f.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
