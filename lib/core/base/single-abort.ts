import { setMaxListeners } from "node:events";

/** A listener for the abort of a signal, as an object, so that none is made for each call. */
interface AbortListener {
  handleEvent(): void;
}

const current = Symbol("current listener");

interface SlottedSignal extends AbortSignal {
  [current]?: AbortListener | undefined;
}

/**
 * Makes a controller whose signal has a place for one listener. Node makes several objects when a listener is added to
 * a signal and removed again, which every call does; here both only set the place.
 */
export function singleAbortController(): AbortController {
  const abort = new AbortController();
  const signal: SlottedSignal = abort.signal;
  signal[current] = undefined;
  signal.addEventListener("abort", () => signal[current]?.handleEvent());
  return abort;
}

/** Adds a listener that is called once when the signal aborts. The signal must not be aborted yet. */
export function listenForAbort(signal: SlottedSignal, listener: AbortListener): void {
  if (current in signal && signal[current] === undefined) {
    signal[current] = listener;
    return;
  }
  // Many requests may share one signal, so the limit at which Node warns of a leak is removed.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, ONCE);
}

export function forgetAbort(signal: SlottedSignal, listener: AbortListener): void {
  if (signal[current] === listener) signal[current] = undefined;
  else signal.removeEventListener("abort", listener);
}

const ONCE = { once: true };
