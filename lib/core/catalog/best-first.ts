/**
 * Yields items from the best to the worst, and sorts only as many as the caller takes (binary heap). The function
 * changes the array.
 *
 * @param before true if the first item comes before the second; a total order
 */
export function* bestFirst<T>(items: T[], before: (a: T, b: T) => boolean): Generator<T, void, void> {
  const sink = (from: number) => {
    for (let at = from; ; ) {
      let best = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < items.length && before(items[child]!, items[best]!)) best = child;
      if (best === at) return;
      [items[at], items[best]] = [items[best]!, items[at]!];
      at = best;
    }
  };
  for (let i = (items.length >> 1) - 1; i >= 0; i--) sink(i);
  while (items.length > 0) {
    const best = items[0]!;
    const last = items.pop()!;
    if (items.length > 0) {
      items[0] = last;
      sink(0);
    }
    yield best;
  }
}
