/** Number of items that are put into order in one step. */
const STEP = 1024;

/**
 * Returns, in small steps, an iterable of the items from the best to the worst, which sorts only as many as the caller
 * takes (binary heap). The function changes the array.
 *
 * @param before true if the first item comes before the second; a total order
 */
export function* bestFirst<T>(items: T[], before: (a: T, b: T) => boolean): Generator<void, Iterable<T>> {
  for (let i = (items.length >> 1) - 1; i >= 0; i--) {
    sink(items, i, before);
    if (i % STEP === 0) yield;
  }
  const sorted: T[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < sorted.length || items.length > 0; at++) {
        if (at === sorted.length) sorted.push(takeBest(items, before));
        yield sorted[at]!;
      }
    },
  };
}

function takeBest<T>(items: T[], before: (a: T, b: T) => boolean): T {
  const best = items[0]!;
  const last = items.pop()!;
  if (items.length > 0) {
    items[0] = last;
    sink(items, 0, before);
  }
  return best;
}

function sink<T>(items: T[], from: number, before: (a: T, b: T) => boolean): void {
  const item = items[from]!;
  for (let at = from; ; ) {
    let child = 2 * at + 1;
    if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
    if (child >= items.length || !before(items[child]!, item)) {
      items[at] = item;
      return;
    }
    items[at] = items[child]!;
    at = child;
  }
}
