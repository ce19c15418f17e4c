import { Fault } from "../base/fault.ts";

/**
 * Returns a promise that settles like the given one, but is rejected as soon as the signal aborts. The work behind the
 * given promise continues.
 *
 * @throws Fault the signal's reason if that is a Fault, otherwise `cancelled`
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason instanceof Fault ? signal.reason : new Fault("cancelled"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
