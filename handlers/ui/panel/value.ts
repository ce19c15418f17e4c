import { useEffect, useState } from "preact/hooks";

/** An observable value. */
interface Value<T> {
  get(): T;
  set(next: T): void;
  /** @returns a function that ends the subscription */
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

/** The current value; the component is rendered again when it changes. */
export function useValue<T>(value: Pick<Value<T>, "get" | "subscribe">): T {
  const [, redraw] = useState(0);
  const drawn = value.get();
  useEffect(() => {
    const stop = value.subscribe(() => redraw((n) => n + 1));
    // The value can have changed between rendering and subscribing.
    if (!Object.is(drawn, value.get())) redraw((n) => n + 1);
    return stop;
  }, [value]);
  return drawn;
}
