import { MAX_DEPTH } from "./parse-json.ts";

/**
 * JSON text that depends on the value alone: members sorted by key, no white space, one spelling for every number and
 * string. Members that are `undefined` count as absent, as they do for `JSON.stringify`.
 *
 * @param value as JSON.parse gives it
 * @throws RangeError when it is nested deeper than anything this program takes in
 */
export function canonicalJson(value: unknown): string {
  return text(value, 0);
}

function text(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} deep`);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => text(item, depth + 1)).join(",")}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${text(object[key], depth + 1)}`);
  return `{${members.join(",")}}`;
}
