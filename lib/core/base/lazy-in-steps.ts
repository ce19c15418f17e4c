import { runStepsToEnd } from "./loop-share.ts";

interface LazyInSteps<T> {
  /** Returns the value; makes it at once if it is not made. */
  (): T;
  /** Makes the value in steps, so that the event loop is not blocked. */
  prepare(): Generator<void, void>;
}

/** Like `lazy`, for a value that is made in many small steps: before it is needed, or else at its first use. */
export function lazyInSteps<T>(make: () => Generator<void, T>): LazyInSteps<T> {
  let made: { readonly value: T } | undefined;
  const get = () => {
    made ??= { value: runStepsToEnd(make()) };
    return made.value;
  };
  return Object.assign(get, {
    *prepare(): Generator<void, void> {
      if (made) return;
      const value = yield* make();
      made ??= { value };
    },
  });
}
