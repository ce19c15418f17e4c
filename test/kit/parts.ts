import type { App, Part } from "#lib/core/app.ts";

/** The `part` function of an App with these states, for tests without an App. */
export function withParts(...given: readonly (readonly [Part<never> | Part<unknown>, unknown])[]): App["part"] {
  const held = new Map<unknown, unknown>(given);
  return <T>(key: Part<T>): T => {
    if (!held.has(key)) throw new Error(`this test gave no part ${key.name}`);
    return held.get(key) as T;
  };
}

/**
 * The `part` function for an object that is used as an App: each part is created as the core declares it, without
 * modules.
 */
export function coreParts(app: () => unknown): App["part"] {
  const held = new Map<unknown, unknown>();
  return <T>(key: Part<T>): T => {
    if (!held.has(key)) held.set(key, key.open(app() as App));
    return held.get(key) as T;
  };
}

/** Returns the App with another state for one part. */
export function replacePart<A extends Pick<App, "part">, T>(app: A, replaced: Part<T>, state: T): A {
  const states = new Map<unknown, unknown>([[replaced, state]]);
  return { ...app, part: <U>(key: Part<U>): U => (states.has(key) ? (states.get(key) as U) : app.part(key)) };
}
