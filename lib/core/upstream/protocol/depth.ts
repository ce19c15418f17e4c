/** Deepest nesting of values from an upstream. Code that walks such a value may recurse this far. */
export const MAX_UPSTREAM_DEPTH = 200;

export const TOO_DEEP_TEXT = `its response is nested deeper than ${MAX_UPSTREAM_DEPTH} levels`;

/**
 * True if a parsed JSON value is not nested deeper than that. The check is fast for flat values, as results mostly are.
 */
export function isShallow(value: unknown, left = MAX_UPSTREAM_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (left === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && !isShallow(item, left - 1)) return false;
    return true;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && !isShallow(item, left - 1)) return false;
  }
  return true;
}
