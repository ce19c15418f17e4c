import { isJsonObject, type JsonObject } from "../../json-object.ts";
import type { Check, KeywordContext } from "../check.ts";
import { textPattern } from "../pattern.ts";
import type { ValidationRun } from "../validation-run.ts";
import { checkMember } from "./check-member.ts";
import { countText, isCount } from "./count.ts";
import { MAX_COMPARED, MAX_SUGGESTED_LENGTH, suggestion } from "./suggestion.ts";

/** `additionalProperties`: checks members that `properties` does not name and no pattern matches. */
export function unknownProperties(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  if (given === true) return undefined;
  const declared = isJsonObject(schema.properties) ? schema.properties : {};
  const patterns = Object.keys(isJsonObject(schema.patternProperties) ? schema.patternProperties : {}).map(textPattern);
  const check = given === false ? undefined : child(given);
  let names: string[] | undefined;
  const unknown = (key: string, value: JsonObject, run: ValidationRun) => {
    if (run.quiet) return false;
    names ??= firstKeys(declared);
    // A name that the object already has is not suggested: the sender did not mistype it.
    const others = key.length <= MAX_SUGGESTED_LENGTH ? names.filter((name) => !Object.hasOwn(value, name)) : [];
    const hint = suggestion(key, others);
    return run.fail("additionalProperties", `is not among the properties${hint}`, schema, key);
  };
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    for (const key in value) {
      run.spend(1);
      if (Object.hasOwn(declared, key)) continue;
      const matched = patterns.some((one) => (typeof one === "string" ? run.assume(one) : one(key, run)));
      if (matched) continue;
      if (check ? checkMember(key, value[key], check, run) : unknown(key, value, run)) continue;
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

export function required(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const names = given.filter((name): name is string => typeof name === "string");
  return (value, run) => {
    if (!isJsonObject(value)) return true;
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

export function properties(given: unknown, { child }: KeywordContext): Check | undefined {
  if (!isJsonObject(given)) return undefined;
  const checks = new Map<string, Check>();
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    for (const key in value) {
      let check = checks.get(key);
      if (!check) {
        run.spend(1);
        if (!Object.hasOwn(given, key)) continue;
        check = child(given[key]);
        checks.set(key, check);
      }
      if (checkMember(key, value[key], check, run)) continue;
      valid = false;
      if (run.quiet) return false;
    }
    return valid;
  };
}

export function patternProperties(given: unknown, { child }: KeywordContext): Check | undefined {
  if (!isJsonObject(given)) return undefined;
  const patterns = Object.entries(given).map(([source, schema]) => ({
    matches: textPattern(source),
    check: child(schema),
  }));
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    for (const key in value)
      for (const { matches, check } of patterns) {
        run.spend(1);
        if (typeof matches === "string") run.assume(matches);
        else if (matches(key, run) && !checkMember(key, value[key], check, run)) valid = false;
      }
    return valid;
  };
}

export function propertyNames(given: unknown, { child }: KeywordContext): Check {
  const check = child(given);
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    for (const key in value) if (!checkMember(key, key, check, run)) valid = false;
    return valid;
  };
}

export function minProperties(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !isJsonObject(value) ||
    Object.keys(value).length >= given ||
    run.fail("minProperties", `must have at least ${countText(given, "property")}`, schema);
}

export function maxProperties(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !isJsonObject(value) ||
    Object.keys(value).length <= given ||
    run.fail("maxProperties", `must have at most ${countText(given, "property")}`, schema);
}

export function dependentRequired(given: unknown, compiling: KeywordContext): Check | undefined {
  return isJsonObject(given) ? whenPresent(given, (names) => required(names, compiling)) : undefined;
}

export function dependentSchemas(given: unknown, { child }: KeywordContext): Check | undefined {
  return isJsonObject(given) ? whenPresent(given, child) : undefined;
}

export function dependencies(given: unknown, compiling: KeywordContext): Check | undefined {
  if (!isJsonObject(given)) return undefined;
  const make = (part: unknown) => (Array.isArray(part) ? required(part, compiling) : compiling.child(part));
  return whenPresent(given, make);
}

/** Returns a check that applies each of several checks only if the object has a certain member. */
function whenPresent(given: JsonObject, make: (part: unknown) => Check | undefined): Check {
  const checks = Object.entries(given).map(([key, part]) => ({ key, check: make(part) }));
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    let valid = true;
    for (const { key, check } of checks) {
      run.spend(1);
      if (check && Object.hasOwn(value, key) && !check(value, run)) valid = false;
    }
    return valid;
  };
}
