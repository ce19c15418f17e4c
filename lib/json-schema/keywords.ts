import { canonicalJson } from "../base/canonical.ts";
import { isObject, type JsonObject, sameJson } from "../base/merge.ts";
import { nearest } from "../base/nearest.ts";
import { alternatives } from "./alternatives.ts";
import type { Check, Compiling } from "./compile.ts";
import { kindOf, listed, typesText } from "./describe.ts";
import { textPattern } from "./pattern.ts";
import type { Run } from "./run.ts";

/** Makes a check of a keyword's value; undefined where that value says nothing. */
type Make = (given: unknown, compiling: Compiling) => Check | undefined;

/**
 * Every keyword that is checked, in the order in which problems are most useful: what a value is, then what is in it.
 * All others are annotations. (JSON Schema 2020-12; those of older drafts are marked)
 */
export const KEYWORDS: readonly (readonly [string, Make])[] = [
  ["$ref", reference],
  ["$dynamicRef", () => assumed("$dynamicRef")],
  ["$recursiveRef", () => assumed("$recursiveRef")], // 2019-09
  ["type", type],
  ["const", constant],
  ["enum", enumeration],
  ["minLength", minLength],
  ["maxLength", maxLength],
  ["pattern", pattern],
  ["minimum", minimum],
  ["maximum", maximum],
  ["exclusiveMinimum", exclusiveMinimum],
  ["exclusiveMaximum", exclusiveMaximum],
  ["multipleOf", multipleOf],
  ["additionalProperties", unknownProperties],
  ["required", required],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["propertyNames", propertyNames],
  ["minProperties", minProperties],
  ["maxProperties", maxProperties],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["dependencies", dependencies], // draft 7 and older
  ["minItems", minItems],
  ["maxItems", maxItems],
  ["prefixItems", prefixItems],
  ["items", items],
  ["additionalItems", additionalItems], // draft 7 and 2019-09
  ["contains", contains],
  ["uniqueItems", uniqueItems],
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
  ["if", condition],
  ["unevaluatedProperties", unevaluatedProperties],
  ["unevaluatedItems", unevaluatedItems],
];

const assumed =
  (keyword: string): Check =>
  (_, run) =>
    run.assume(`${keyword} is not supported`);

function reference(given: unknown, { reference }: Compiling): Check | undefined {
  if (typeof given !== "string") return undefined;
  const check = reference(given);
  return check ?? ((_, run) => run.assume(`$ref ${JSON.stringify(given.slice(0, 100))} leads out of the schema`));
}

function type(given: unknown, { schema }: Compiling): Check | undefined {
  const types = Array.isArray(given) ? given : [given];
  const [only] = types;
  const message = (value: unknown) => `must be ${typesText(types)}, not ${kindOf(value)}`;
  if (types.length === 1) return (value, run) => isOfType(value, only) || run.fail("type", message(value), schema);
  return (value, run) => types.some((one) => isOfType(value, one)) || run.fail("type", message(value), schema);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    default:
      // What is no type of JSON Schema says nothing.
      return true;
  }
}

function constant(given: unknown, { schema }: Compiling): Check {
  return (value, run) => same(value, given, run) || run.fail("const", `must be ${listed([given])}`, schema);
}

function enumeration(given: unknown, { schema }: Compiling): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const simple = new Set(given.filter((option) => typeof option !== "object" || option === null));
  const composed = given.filter((option) => typeof option === "object" && option !== null);
  return (value, run) => {
    if (simple.has(value) || composed.some((option) => same(value, option, run))) return true;
    if (run.quiet) return false;
    const words = given.slice(0, MAX_COMPARED).filter((option) => typeof option === "string");
    const [near] = typeof value === "string" && value.length <= MAX_NAME ? nearest(value, words, 1) : [];
    const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return run.fail("enum", `must be one of ${listed(given)}${hint}`, schema);
  };
}

/** Options and names that a wrong one is compared with. */
const MAX_COMPARED = 500;
/** Longest text that suggestions are made for (characters). */
const MAX_NAME = 200;

function same(value: unknown, given: unknown, run: Run): boolean {
  if (typeof value !== "object" || value === null || typeof given !== "object" || given === null)
    return value === given;
  weigh(value, run);
  return sameJson(value, given);
}

/** Pays for work that is in proportion to a value. */
function weigh(value: unknown, run: Run): void {
  if (typeof value === "string") run.spend(1 + value.length / CHARACTERS_PER_STEP);
  else if (typeof value !== "object" || value === null) run.spend(1);
  else for (const key in value) weigh((value as JsonObject)[key], run);
}

/** Characters that are looked at in about the time of one step. */
const CHARACTERS_PER_STEP = 20;

function minLength(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) >= given ||
    run.fail("minLength", `must have at least ${counted(given, "character")}`, schema);
}

function maxLength(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) <= given ||
    run.fail("maxLength", `must have at most ${counted(given, "character")}`, schema);
}

/** In code points; those are counted only where the limit lies between what it may be at least and at most. */
function length(text: string, limit: number, run: Run): number {
  if (text.length <= limit || text.length > 2 * limit + 1) return text.length > limit ? text.length : exact(text, run);
  return exact(text, run);
}

function exact(text: string, run: Run): number {
  run.spend(text.length / CHARACTERS_PER_STEP);
  let pairs = 0;
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}

function pattern(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "string") return undefined;
  const matches = textPattern(given);
  if (typeof matches === "string") return (value, run) => typeof value !== "string" || run.assume(matches);
  return (value, run) =>
    typeof value !== "string" ||
    matches(value, run) ||
    run.fail("pattern", `must match the pattern ${listed([given])}`, schema);
}

function minimum(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "number") return undefined;
  // Draft 4 has the other keyword as a switch.
  const open = schema.exclusiveMinimum === true;
  return (value, run) =>
    typeof value !== "number" ||
    (open ? value > given : value >= given) ||
    run.fail("minimum", `must be ${open ? "more than" : "at least"} ${given}`, schema);
}

function maximum(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "number") return undefined;
  const open = schema.exclusiveMaximum === true;
  return (value, run) =>
    typeof value !== "number" ||
    (open ? value < given : value <= given) ||
    run.fail("maximum", `must be ${open ? "less than" : "at most"} ${given}`, schema);
}

function exclusiveMinimum(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "number") return undefined;
  return (value, run) =>
    typeof value !== "number" || value > given || run.fail("exclusiveMinimum", `must be more than ${given}`, schema);
}

function exclusiveMaximum(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "number") return undefined;
  return (value, run) =>
    typeof value !== "number" || value < given || run.fail("exclusiveMaximum", `must be less than ${given}`, schema);
}

function multipleOf(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "number" || !(given > 0)) return undefined;
  return (value, run) => {
    if (typeof value !== "number") return true;
    const times = value / given;
    // Decimal fractions are not exact in binary: 0.0075 / 0.0001 is not quite 75.
    const off = Math.abs(times - Math.round(times));
    return (
      !Number.isFinite(times) ||
      off <= 1e-9 * Math.max(1, Math.abs(times)) * (Number.isInteger(given) ? 0 : 1) ||
      run.fail("multipleOf", `must be a multiple of ${given}`, schema)
    );
  };
}

/** `additionalProperties`: what is neither among the properties nor of a pattern. */
function unknownProperties(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (given === true) return undefined;
  const known = isObject(schema.properties) ? schema.properties : {};
  const patterns = Object.keys(isObject(schema.patternProperties) ? schema.patternProperties : {}).map(textPattern);
  const check = given === false ? undefined : child(given);
  let names: string[] | undefined;
  const unknown = (key: string, value: JsonObject, run: Run) => {
    if (run.quiet) return false;
    names ??= firstKeys(known);
    // A name that was given already is not what was meant.
    const others = key.length <= MAX_NAME ? names.filter((name) => !Object.hasOwn(value, name)) : [];
    const [near] = nearest(key, others, 1);
    const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return run.fail("additionalProperties", `is not among the properties${hint}`, schema, key);
  };
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const key in value) {
      run.spend(1);
      if (Object.hasOwn(known, key)) continue;
      const matched = patterns.some((one) => (typeof one === "string" ? run.assume(one) : one(key, run)));
      if (matched) continue;
      if (check ? at(key, value[key], check, run) : unknown(key, value, run)) continue;
      valid = false;
      if (run.quiet) return false;
    }
    return valid;
  };
}

function firstKeys(object: JsonObject): string[] {
  const keys: string[] = [];
  for (const key in object) {
    if (keys.length >= MAX_COMPARED) break;
    keys.push(key);
  }
  return keys;
}

function required(given: unknown, { schema }: Compiling): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const names = given.filter((name): name is string => typeof name === "string");
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const name of names) {
      run.spend(1);
      if (Object.hasOwn(value, name)) continue;
      valid = run.fail("required", "is required but missing", schema, name);
      if (run.quiet) return false;
    }
    return valid;
  };
}

function properties(given: unknown, { child }: Compiling): Check | undefined {
  if (!isObject(given)) return undefined;
  const checks = new Map<string, Check>();
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const key in value) {
      let check = checks.get(key);
      if (!check) {
        run.spend(1);
        if (!Object.hasOwn(given, key)) continue;
        check = child(given[key]);
        checks.set(key, check);
      }
      if (at(key, value[key], check, run)) continue;
      valid = false;
      if (run.quiet) return false;
    }
    return valid;
  };
}

/** Checks a member or item in its place. */
function at(key: string | number, value: unknown, check: Check, run: Run): boolean {
  run.path.push(key);
  const valid = check(value, run);
  run.path.pop();
  return valid;
}

function patternProperties(given: unknown, { child }: Compiling): Check | undefined {
  if (!isObject(given)) return undefined;
  const patterns = Object.entries(given).map(([source, schema]) => ({
    matches: textPattern(source),
    check: child(schema),
  }));
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const key in value)
      for (const { matches, check } of patterns) {
        run.spend(1);
        if (typeof matches === "string") run.assume(matches);
        else if (matches(key, run) && !at(key, value[key], check, run)) valid = false;
      }
    return valid;
  };
}

function propertyNames(given: unknown, { child }: Compiling): Check {
  const check = child(given);
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const key in value) if (!at(key, key, check, run)) valid = false;
    return valid;
  };
}

function minProperties(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !isObject(value) ||
    Object.keys(value).length >= given ||
    run.fail("minProperties", `must have at least ${counted(given, "property")}`, schema);
}

function maxProperties(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !isObject(value) ||
    Object.keys(value).length <= given ||
    run.fail("maxProperties", `must have at most ${counted(given, "property")}`, schema);
}

function dependentRequired(given: unknown, compiling: Compiling): Check | undefined {
  return isObject(given) ? whenPresent(given, (names) => required(names, compiling)) : undefined;
}

function dependentSchemas(given: unknown, { child }: Compiling): Check | undefined {
  return isObject(given) ? whenPresent(given, child) : undefined;
}

function dependencies(given: unknown, compiling: Compiling): Check | undefined {
  if (!isObject(given)) return undefined;
  const make = (part: unknown) => (Array.isArray(part) ? required(part, compiling) : compiling.child(part));
  return whenPresent(given, make);
}

/** Checks that count where a member is there. */
function whenPresent(given: JsonObject, make: (part: unknown) => Check | undefined): Check {
  const checks = Object.entries(given).map(([key, part]) => ({ key, check: make(part) }));
  return (value, run) => {
    if (!isObject(value)) return true;
    let valid = true;
    for (const { key, check } of checks) {
      run.spend(1);
      if (check && Object.hasOwn(value, key) && !check(value, run)) valid = false;
    }
    return valid;
  };
}

function minItems(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !Array.isArray(value) ||
    value.length >= given ||
    run.fail("minItems", `must have at least ${counted(given, "item")}`, schema);
}

function maxItems(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !Array.isArray(value) ||
    value.length <= given ||
    run.fail("maxItems", `must have at most ${counted(given, "item")}`, schema);
}

function prefixItems(given: unknown, { child }: Compiling): Check | undefined {
  return Array.isArray(given) ? tuple(given.map(child)) : undefined;
}

/** One schema for all items after the prefix, or, before 2020-12, one for each place. */
function items(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (Array.isArray(given)) return tuple(given.map(child));
  return rest(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, child(given));
}

function additionalItems(given: unknown, { schema, child }: Compiling): Check | undefined {
  return Array.isArray(schema.items) ? rest(schema.items.length, child(given)) : undefined;
}

function tuple(checks: readonly Check[]): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (const [i, check] of checks.entries()) {
      if (i >= value.length) break;
      if (!at(i, value[i], check, run)) valid = false;
    }
    return valid;
  };
}

function rest(from: number, check: Check): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let i = from; i < value.length; i++) {
      run.spend(1);
      if (at(i, value[i], check, run)) continue;
      valid = false;
      if (run.quiet) return false;
    }
    return valid;
  };
}

function contains(given: unknown, { schema, child }: Compiling): Check {
  const check = child(given);
  const least = isCount(schema.minContains) ? schema.minContains : 1;
  const most = isCount(schema.maxContains) ? schema.maxContains : Number.POSITIVE_INFINITY;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const item of value) {
      const { valid, unsure } = run.ask(() => check(item, run));
      if (unsure) return true;
      if (valid) count++;
    }
    if (count < least) return run.fail("contains", `must contain at least ${counted(least, "matching item")}`, schema);
    return count <= most || run.fail("contains", `must contain at most ${counted(most, "matching item")}`, schema);
  };
}

function uniqueItems(given: unknown, { schema }: Compiling): Check | undefined {
  if (given !== true) return undefined;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    const seen = new Set<unknown>();
    for (const item of value) {
      weigh(item, run);
      // Texts of composed items cannot be taken for items: those are put in quotes.
      const key = typeof item === "object" && item !== null ? canonicalJson(item) : JSON.stringify(item);
      if (seen.has(key)) return run.fail("uniqueItems", "must not hold the same item twice", schema);
      seen.add(key);
    }
    return true;
  };
}

function allOf(given: unknown, { child }: Compiling): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) => {
    let valid = true;
    for (const check of checks) if (!check(value, run)) valid = false;
    return valid;
  };
}

function anyOf(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) =>
    checks.some((check) => run.ask(() => check(value, run)).valid) ||
    alternatives("anyOf", given, checks, { value, run, schema });
}

function oneOf(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const checks = given.map(child);
  return (value, run) => {
    const answers = checks.map((check) => run.ask(() => check(value, run)));
    const matches = answers.filter(({ valid }) => valid);
    if (matches.length === 1) return true;
    if (matches.length === 0) return alternatives("oneOf", given, checks, { value, run, schema });
    return (
      matches.some(({ unsure }) => unsure) ||
      run.fail("oneOf", `matches ${matches.length} of the alternatives of oneOf, where exactly one is allowed`, schema)
    );
  };
}

function not(given: unknown, { schema, child }: Compiling): Check {
  const check = child(given);
  return (value, run) => {
    const { valid, unsure } = run.ask(() => check(value, run));
    return !valid || unsure || run.fail("not", "must not match what `not` describes", schema);
  };
}

function condition(given: unknown, { schema, child }: Compiling): Check {
  const [check, yes, no] = [child(given), child(schema.then), child(schema.else)];
  return (value, run) => {
    const { valid, unsure } = run.ask(() => check(value, run));
    if (unsure) return true;
    return valid ? yes(value, run) : no(value, run);
  };
}

/** Keywords through which a schema evaluates properties or items that it does not name itself. */
const APPLICATORS = [
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "not",
  "dependentSchemas",
  "contains",
];

/** Alone in its schema it means what `additionalProperties` does; what other schemas evaluate is not followed. */
function unevaluatedProperties(given: unknown, compiling: Compiling): Check | undefined {
  const { schema } = compiling;
  if (given === true || Object.hasOwn(schema, "additionalProperties")) return undefined;
  if (APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword))) return assumed("unevaluatedProperties");
  return unknownProperties(given, compiling);
}

function unevaluatedItems(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (given === true || (Object.hasOwn(schema, "items") && !Array.isArray(schema.items))) return undefined;
  if (Array.isArray(schema.items) || APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword)))
    return assumed("unevaluatedItems");
  return rest(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, child(given));
}

const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;

function counted(n: number, what: string): string {
  if (n === 1) return `1 ${what}`;
  return `${n} ${what === "property" ? "properties" : `${what}s`}`;
}
