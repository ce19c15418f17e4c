import { canonicalJson } from "../../core/base/canonical.ts";
import type { Difference, DriftClass } from "../../core/schema/lock-verification.ts";

type Members = Readonly<Record<string, unknown>>;

/** Keywords that models read and validators ignore. */
const TEXTS = new Set(["title", "description", "examples", "example", "$comment"]);
/** Keywords that neither constrain nor instruct. */
const COSMETIC = new Set(["$schema", "$id", "$anchor", "deprecated", "readOnly", "writeOnly"]);
const LOWER = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"]);
const UPPER = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"]);
/** Keywords whose value is a map of schemas. */
const NAMED = new Set(["patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose value is a schema. */
const NESTED = new Set(["items", "contains", "propertyNames", "additionalItems", "unevaluatedItems"]);
const CLOSED = new Set(["additionalProperties", "unevaluatedProperties"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf"]);
const TYPES = ["string", "number", "boolean", "object", "array", "null"];

/** Maximum depth of the comparison; deeper values are compared as a whole. */
const MAX_DEPTH = 60;

/**
 * The differences between two schemas, each with its effect: `narrowing` rejects values that were accepted, `widening`
 * accepts values that were rejected. If the effect is unknown, it counts as widening. The order of members, `required`,
 * `enum`, `type` and alternatives is ignored, and so is white space within texts.
 */
export function schemaDrift(before: unknown, now: unknown, at: string, depth = 0): Difference[] {
  if (same(before, now)) return [];
  const [a, b] = [schema(before), schema(now)];
  if (!a || !b || depth > MAX_DEPTH) {
    if (before === false) return [one(at, "widening", "accepts values that were all rejected")];
    if (now === false) return [one(at, "narrowing", "rejects every value")];
    return [one(at, "widening", "the schema changed")];
  }
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return keys.flatMap((key) => member(key, ownMember(a, key), ownMember(b, key), `${at}.${key}`, depth + 1));
}

/** An own property only; every object inherits a `constructor`. */
const ownMember = (members: Members, key: string) => (Object.hasOwn(members, key) ? members[key] : undefined);

function member(key: string, a: unknown, b: unknown, at: string, depth: number): Difference[] {
  if (key === "properties") return properties(a, b, at, depth);
  if (NAMED.has(key)) return named(a, b, at, depth);
  if (CLOSED.has(key)) return schemaDrift(a ?? true, b ?? true, at, depth);
  if (NESTED.has(key) && !Array.isArray(a) && !Array.isArray(b)) return schemaDrift(a ?? true, b ?? true, at, depth);
  if (LISTS.has(key)) return alternatives(key, a, b, at, depth);
  if (same(a, b)) return [];
  if (TEXTS.has(key)) return sameText(a, b) ? [] : [one(at, "text", "the text changed")];
  if (COSMETIC.has(key) || key.startsWith("x-")) return [one(at, "cosmetic", "the comment changed")];
  if (key === "required") return sets(a, b, at, "narrowing", "widening", []);
  if (key === "enum") return sets(a, b, at, "widening", "narrowing", undefined);
  if (key === "type") return types(a, b, at);
  if (LOWER.has(key) || UPPER.has(key)) return bound(a, b, at, LOWER.has(key));
  if (key === "prefixItems" || Array.isArray(a) || Array.isArray(b)) {
    if (key !== "prefixItems" && key !== "items") return [changed(a, b, at)];
    return tuple(a, b, at, depth);
  }
  if (key === "uniqueItems") return [one(at, b === true ? "narrowing" : "widening", `${text(a)} → ${text(b)}`)];
  // A default changes what happens if the member is absent.
  if (key === "default") return [one(at, "widening", `${text(a)} → ${text(b)}`)];
  return [changed(a, b, at)];
}

/** An added constraint narrows, a removed one widens, and a changed one can do either. */
function changed(a: unknown, b: unknown, at: string): Difference {
  if (a === undefined) return one(at, "narrowing", `new: ${text(b)}`);
  if (b === undefined) return one(at, "widening", `removed: ${text(a)}`);
  return one(at, "widening", `${text(a)} → ${text(b)}`);
}

function properties(a: unknown, b: unknown, at: string, depth: number): Difference[] {
  const [before, now] = [schema(a) ?? {}, schema(b) ?? {}];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((name) => {
    const here = `${at}.${name}`;
    if (!Object.hasOwn(before, name)) return [one(here, "widening", "a new parameter")];
    if (!Object.hasOwn(now, name)) return [one(here, "narrowing", "a parameter was removed")];
    return schemaDrift(before[name], now[name], here, depth);
  });
}

function named(a: unknown, b: unknown, at: string, depth: number): Difference[] {
  const [before, now] = [schema(a) ?? {}, schema(b) ?? {}];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((name) => {
    const here = `${at}.${name}`;
    if (!Object.hasOwn(before, name)) return [one(here, "narrowing", "new")];
    if (!Object.hasOwn(now, name)) return [one(here, "widening", "gone")];
    return schemaDrift(before[name], now[name], here, depth);
  });
}

function tuple(a: unknown, b: unknown, at: string, depth: number): Difference[] {
  if (!Array.isArray(a) || !Array.isArray(b)) return [changed(a, b, at)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).flatMap((i) => {
    if (i >= a.length) return [one(`${at}[${i}]`, "narrowing", "new")];
    if (i >= b.length) return [one(`${at}[${i}]`, "widening", "gone")];
    return schemaDrift(a[i], b[i], `${at}[${i}]`, depth);
  });
}

/** Equal alternatives are ignored, whatever their position; the rest is compared in pairs. */
function alternatives(key: string, a: unknown, b: unknown, at: string, depth: number): Difference[] {
  if (!Array.isArray(a) || !Array.isArray(b)) return same(a, b) ? [] : [changed(a, b, at)];
  const [removed, added] = [without(a, b), without(b, a)];
  if (removed.length === added.length)
    return removed.flatMap((alternative, i) => schemaDrift(alternative, added[i], `${at}[${i}]`, depth));
  const [more, less]: [DriftClass, DriftClass] =
    key === "allOf" ? ["narrowing", "widening"] : ["widening", "narrowing"];
  return [
    ...(removed.length > 0 ? [one(at, less, `${removed.length} fewer`)] : []),
    ...(added.length > 0 ? [one(at, more, `${added.length} more`)] : []),
  ];
}

/** @param none the meaning of an absent list; undefined means everything */
function sets(
  a: unknown,
  b: unknown,
  at: string,
  more: DriftClass,
  less: DriftClass,
  none: readonly unknown[] | undefined,
): Difference[] {
  const [before, now] = [a ?? none, b ?? none];
  if (!Array.isArray(before) || !Array.isArray(now)) return [changed(a, b, at)];
  const [removed, added] = [without(before, now), without(now, before)];
  return [
    ...(added.length > 0 ? [one(at, more, `more: ${added.map(text).join(", ")}`)] : []),
    ...(removed.length > 0 ? [one(at, less, `fewer: ${removed.map(text).join(", ")}`)] : []),
  ];
}

function types(a: unknown, b: unknown, at: string): Difference[] {
  const [before, now] = [accepted(a), accepted(b)];
  const more = [...now].filter((type) => !before.has(type));
  const less = [...before].filter((type) => !now.has(type));
  return [
    ...(more.length > 0 ? [one(at, "widening", `also ${more.join(", ")}`)] : []),
    ...(less.length > 0 ? [one(at, "narrowing", `no longer ${less.join(", ")}`)] : []),
  ];
}

/** The accepted types; `number` includes `integer`. */
function accepted(type: unknown): Set<string> {
  const named = type === undefined ? TYPES : Array.isArray(type) ? type.map(String) : [String(type)];
  return new Set(named.flatMap((name) => (name === "number" ? ["integer", "fraction"] : [name])));
}

function bound(a: unknown, b: unknown, at: string, lower: boolean): Difference[] {
  if (typeof a !== "number" || typeof b !== "number") return [changed(a, b, at)];
  return [one(at, b > a === lower ? "narrowing" : "widening", `${a} → ${b}`)];
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const left = new Map<string, number>();
  for (const item of other) left.set(key(item), (left.get(key(item)) ?? 0) + 1);
  return list.filter((item) => {
    const n = left.get(key(item)) ?? 0;
    if (n > 0) left.set(key(item), n - 1);
    return n === 0;
  });
}

/** Longest value in a message (characters). */
const MAX_SHOWN_CHARACTERS = 60;

function text(value: unknown): string {
  const json = value === undefined ? "nothing" : canonicalJson(value);
  return json.length > MAX_SHOWN_CHARACTERS ? `${json.slice(0, MAX_SHOWN_CHARACTERS)}…` : json;
}

function one(at: string, is: DriftClass, what: string): Difference {
  return { at, class: is, what };
}

function key(value: unknown): string {
  return value === undefined ? "-" : canonicalJson(value);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

/** Whether two texts, or lists of texts in any order, are equal except for white space. */
export function sameText(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): unknown =>
    typeof value === "string"
      ? value.replace(/\s+/g, " ").trim()
      : Array.isArray(value)
        ? value.map(plain).map(key).sort()
        : value;
  return same(plain(a), plain(b)) || (emptyText(a) && emptyText(b));
}

function emptyText(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

function schema(value: unknown): Members | undefined {
  if (value === undefined || value === true) return {};
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}
