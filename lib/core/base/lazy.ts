/**
 * Makes a value on first use and keeps it for the life of the process. It serves only values that follow from constants
 * or from facts of this process or machine; all other state is a part of the App.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
