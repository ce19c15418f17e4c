/**
 * Returns a promise that settles like the given one, but is rejected with the signal's reason as soon as the signal
 * aborts. The work behind the given promise continues, and its result is dropped.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
