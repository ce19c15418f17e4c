import { useEffect, useState } from "preact/hooks";

/** A value that tells when it becomes another one. */
interface Value<T> {
  get(): T;
  set(next: T): void;
  /** @returns ends it */
  subscribe(listener: () => void): () => void;
}

export function createValue<T>(initial: T): Value<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value now; the component is drawn again when it changes. */
export function useValue<T>(value: Pick<Value<T>, "get" | "subscribe">): T {
  const [, redraw] = useState(0);
  const drawn = value.get();
  useEffect(() => {
    const stop = value.subscribe(() => redraw((n) => n + 1));
    // It may have changed between drawing and listening.
    if (!Object.is(drawn, value.get())) redraw((n) => n + 1);
    return stop;
  }, [value]);
  return drawn;
}
