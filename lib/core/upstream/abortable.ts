import { Fault } from "../base/fault.ts";

/**
 * The same promise, rejected as soon as the signal aborts. What it stands for goes on.
 *
 * @throws Fault the signal's reason if that is a Fault, else `cancelled`
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
