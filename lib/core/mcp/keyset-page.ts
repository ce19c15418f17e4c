/** One entry of a list, as it is shown. */
export interface KeysetEntry {
  /** Shown name; unique, and what the list is sorted by, in code units. */
  readonly key: string;
  /** JSON text. */
  readonly text: string;
}

/** One page of a sorted list. */
interface KeysetPage {
  readonly texts: readonly string[];
  /** Key of the page's last entry; only if there is another page. */
  readonly lastKey?: string;
}

/** Many clients read only the first page, so it holds a lot. (entries, characters) */
const PAGE_LIMITS = { entries: 1000, chars: 2 * 1024 * 1024 };

/**
 * One page of a list to which many servers contribute. A page is named by the last key of the page before, so that it
 * stays good while servers come and go and over restarts, and needs no memory.
 *
 * @param sorted by key
 * @param after `lastKey` of the page before; undefined for the first
 */
export function keysetPage(
  sorted: readonly KeysetEntry[],
  after: string | undefined,
  limits = PAGE_LIMITS,
): KeysetPage {
  const texts: string[] = [];
  let chars = 0;
  let at = after === undefined ? 0 : firstAfter(sorted, after);
  for (; at < sorted.length && texts.length < limits.entries; at++) {
    const { text } = sorted[at]!;
    chars += text.length;
    // However long an entry is, a page has one.
    if (texts.length > 0 && chars > limits.chars) break;
    texts.push(text);
  }
  // Never a way to an empty page: some clients take an empty last page for a fault.
  return at < sorted.length ? { texts, lastKey: sorted[at - 1]!.key } : { texts };
}

/** Sorts entries as `keysetPage` wants them. */
export function sortEntries<T extends KeysetEntry>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function firstAfter(sorted: readonly KeysetEntry[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.key <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
