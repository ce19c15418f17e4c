/** A JSON object. A key such as `__proto__` is ordinary data in it. */
export type JsonObject = { [key: string]: unknown };

/** True for a JSON object, not for null or an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Applies an RFC 7396 merge patch: objects merge, null removes, everything else replaces. Neither argument is changed.
 * A key called `__proto__` is ordinary data and never reaches a prototype.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = entriesOf(target);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, mergePatch(merged.get(key), value));
  }
  return toObject(merged);
}

/**
 * Merges `over` into `base`: objects merge, arrays and scalars replace. In `over`, null is a value and undefined
 * changes nothing.
 */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isJsonObject(over)) return over;
  const merged = entriesOf(base);
  for (const [key, value] of Object.entries(over))
    if (value !== undefined) merged.set(key, deepMerge(merged.get(key), value));
  return toObject(merged);
}

/** Sets an own property of any name. A plain assignment to `__proto__` would change the prototype. */
export function setOwnProperty(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** True if two values are equal as JSON. Members that are undefined count as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const left = definedEntries(a);
  return (
    left.length === definedEntries(b).length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, b[key]))
  );
}

const definedEntries = (object: JsonObject) => Object.entries(object).filter(([, value]) => value !== undefined);
const entriesOf = (value: unknown) => new Map(isJsonObject(value) ? Object.entries(value) : []);
/** Builds an object from entries. `fromEntries` defines members instead of assigning them, so `__proto__` is data. */
const toObject = (entries: Map<string, unknown>): JsonObject => Object.fromEntries(entries);
