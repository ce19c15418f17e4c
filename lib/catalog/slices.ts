/** Items handled between two turns of the event loop; indexing so many takes some 10 ms. */
const SLICE = 50;

/** Does something with the items, a slice per turn of the event loop, so that nothing else waits for a large list. */
export async function inSlices<T>(items: readonly T[], work: (slice: readonly T[]) => void): Promise<void> {
  for (let i = 0; i < items.length; i += SLICE) {
    if (i > 0) await new Promise<void>((next) => setImmediate(next));
    work(items.slice(i, i + SLICE));
  }
}
