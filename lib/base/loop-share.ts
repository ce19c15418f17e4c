/** Longest time that one piece of work keeps the event loop from others (ms). */
const SHARE_MS = 4;

/**
 * Lets work over many items give way to others: call it after each item, and await what it answers, if anything.
 *
 *     const pause = loopShare();
 *     for (const item of items) {
 *       handle(item);
 *       await pause();
 *     }
 */
export function loopShare(ms = SHARE_MS): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < ms) return undefined;
    return new Promise((next) =>
      setImmediate(() => {
        since = performance.now();
        next();
      }),
    );
  };
}
