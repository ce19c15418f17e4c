type Json = Readonly<Record<string, unknown>>;

const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The merge patch between two documents: objects merge, null deletes, lists are replaced. */
export function patchBetween(before: Json, after: Json): Json {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (same(old, now)) continue;
    if (now === undefined) patch[key] = null;
    else patch[key] = isObject(old) && isObject(now) ? patchBetween(old, now) : now;
  }
  return patch;
}

/** Reduces two documents to the top-level keys that differ. */
export function differing(before: Json, after: Json): [before: Json, after: Json] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((k) => !same(before[k], after[k]));
  const only = (document: Json) => Object.fromEntries(keys.filter((k) => k in document).map((k) => [k, document[k]]));
  return [only(before), only(after)];
}
