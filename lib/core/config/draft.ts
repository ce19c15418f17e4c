import { isJsonObject, type JsonObject, sameJson, setOwnProperty } from "../base/json-object.ts";

/** An editable copy of a document, and a function that applies its changes to the content of the file. */
interface Draft<T> {
  draft: T;
  /**
   * Returns the file's content with exactly the changes made in the draft. Everything else, also the order, is
   * unchanged.
   */
  merged(): JsonObject;
}

/** The element of the file from which a list element of the draft was copied. */
interface Origin {
  raw: unknown;
  before: unknown;
}

/**
 * Makes an editable copy of a checked document. The copy has all defaults, the file does not. Only differences between
 * the copy and `before` are written, so that the file keeps its unknown keys and its order, and gets no defaults.
 *
 * @param raw content of the file
 * @param before the checked content, with defaults and without blank values
 */
export function draftOf<T extends object>(raw: JsonObject, before: T): Draft<T> {
  const origins = new WeakMap<object, Origin>();
  const draft = copy(before, raw, origins) as T;
  return { draft, merged: () => plain(carry(raw, before, draft, origins)) as JsonObject };
}

/** Copies a value and records for each list element from which element of the file it was copied. */
function copy(before: unknown, raw: unknown, origins: WeakMap<object, Origin>): unknown {
  if (Array.isArray(before))
    return before.map((item, index) => {
      const twin = Array.isArray(raw) ? raw[index] : undefined;
      const made = copy(item, twin, origins);
      if (isJsonObject(made)) origins.set(made, { raw: twin, before: item });
      return made;
    });
  if (!isJsonObject(before)) return before;
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(before))
    setOwnProperty(made, key, copy(value, isJsonObject(raw) ? raw[key] : undefined, origins));
  return made;
}

function carry(raw: unknown, before: unknown, after: unknown, origins: WeakMap<object, Origin>): unknown {
  if (sameJson(before, after) && raw !== undefined) return raw;
  if (Array.isArray(after)) {
    const named = byName(before, raw);
    return after.map((item) => {
      const origin = isJsonObject(item) ? (origins.get(item) ?? named.get(item.name)) : undefined;
      return origin ? carry(origin.raw, origin.before, item, origins) : item;
    });
  }
  if (!isJsonObject(after)) return after;
  const was = isJsonObject(before) ? before : {};
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(isJsonObject(raw) ? raw : {})) {
    const [old, now] = [ownMember(was, key), ownMember(after, key)];
    if (now !== undefined) setOwnProperty(made, key, carry(value, old, now, origins));
    else if (old === undefined) setOwnProperty(made, key, value);
  }
  for (const [key, value] of Object.entries(after))
    if (!Object.hasOwn(made, key) && value !== undefined && !sameJson(ownMember(was, key), value))
      setOwnProperty(made, key, carry(undefined, ownMember(was, key), value, origins));
  return made;
}

/** Finds the original of a list element that a change replaced with a copy, by its name. */
function byName(before: unknown, raw: unknown): Map<unknown, Origin> {
  const named = new Map<unknown, Origin>();
  if (!Array.isArray(before)) return named;
  before.forEach((item, index) => {
    if (isJsonObject(item) && item.name !== undefined)
      named.set(item.name, { raw: Array.isArray(raw) ? raw[index] : undefined, before: item });
  });
  return named;
}

const ownMember = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Returns the value as it would be after writing and reading the file. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
