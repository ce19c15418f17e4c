import { MAX_JSON_DEPTH } from "./parse-json.ts";

/**
 * Returns the canonical JSON text of a value: members sorted by key, no white space, one spelling for every number and
 * string. Members that are `undefined` are left out, as `JSON.stringify` does.
 *
 * @param value a value as JSON.parse returns it
 * @param maxDepth deepest nesting below the value; by default the limit for all JSON from outside
 * @throws RangeError if the value is nested deeper
 */
export function canonicalJson(value: unknown, maxDepth = MAX_JSON_DEPTH): string {
  return text(value, maxDepth, maxDepth);
}

function text(value: unknown, left: number, maxDepth: number): string {
  if (left < 0) throw new RangeError(`nested more than ${maxDepth} deep`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => text(item, left - 1, maxDepth)).join(",")}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${text(object[key], left - 1, maxDepth)}`);
  return `{${members.join(",")}}`;
}
