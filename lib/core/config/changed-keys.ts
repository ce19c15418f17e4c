import { type JsonObject, sameJson } from "../base/json-object.ts";

/** Returns the top-level keys in which two documents differ, sorted. */
export function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const of = (document: JsonObject, key: string) => (Object.hasOwn(document, key) ? document[key] : undefined);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !sameJson(of(before, key), of(after, key)))
    .sort();
}
