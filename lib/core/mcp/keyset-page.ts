/** One entry of a list. */
export interface KeysetEntry {
  /** The listed name. It is unique, and the list is sorted by it (by code units). */
  readonly key: string;
  /** The entry as JSON text. */
  readonly text: string;
}

/** One page of a sorted list. */
interface KeysetPage {
  readonly texts: readonly string[];
  /** Key of the last entry; absent on the last page. */
  readonly lastKey?: string;
}

/** Maximum size of a page. Many clients read only the first page, so it is large. (entries, characters) */
const PAGE_LIMITS = { entries: 1000, chars: 2 * 1024 * 1024 };

/**
 * Returns one page of a list to which many servers contribute. A page is identified by the last key of the previous
 * page. So it stays valid when servers are added or removed and after a restart, and nothing must be stored.
 *
 * @param sorted by key
 * @param after `lastKey` of the previous page; undefined for the first page
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
    // A page contains at least one entry, however long.
    if (texts.length > 0 && chars > limits.chars) break;
    texts.push(text);
  }
  // There is a next page only if it has entries, because some clients treat an empty last page as an error.
  return at < sorted.length ? { texts, lastKey: sorted[at - 1]!.key } : { texts };
}

/** Sorts entries in the order that `keysetPage` requires. */
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
