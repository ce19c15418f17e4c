import { canonicalJson } from "../../canonical.ts";
import type { Check, KeywordContext } from "../check.ts";
import { checkMember } from "./check-member.ts";
import { countText, isCount } from "./count.ts";
import { spendForValue } from "./spend.ts";

export function minItems(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !Array.isArray(value) ||
    value.length >= given ||
    run.fail("minItems", `must have at least ${countText(given, "item")}`, schema);
}

export function maxItems(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    !Array.isArray(value) ||
    value.length <= given ||
    run.fail("maxItems", `must have at most ${countText(given, "item")}`, schema);
}

export function prefixItems(given: unknown, { child }: KeywordContext): Check | undefined {
  return Array.isArray(given) ? tuple(given.map(child)) : undefined;
}

/** `items`: one schema for all items after the prefix, or, before 2020-12, a list with one schema for each position. */
export function items(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  if (Array.isArray(given)) return tuple(given.map(child));
  return restItems(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, child(given));
}

export function additionalItems(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  return Array.isArray(schema.items) ? restItems(schema.items.length, child(given)) : undefined;
}

function tuple(checks: readonly Check[]): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (const [i, check] of checks.entries()) {
      if (i >= value.length) break;
      if (!checkMember(i, value[i], check, run)) valid = false;
    }
    return valid;
  };
}

/** Applies a check to all items from an index on. */
export function restItems(from: number, check: Check): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let i = from; i < value.length; i++) {
      run.spend(1);
      if (checkMember(i, value[i], check, run)) continue;
      valid = false;
      if (run.quiet) return false;
    }
    return valid;
  };
}

export function contains(given: unknown, { schema, child }: KeywordContext): Check {
  const check = child(given);
  const least = isCount(schema.minContains) ? schema.minContains : 1;
  const most = isCount(schema.maxContains) ? schema.maxContains : Number.POSITIVE_INFINITY;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    let count = 0;
    for (const item of value) {
      const { valid, unsure } = run.evaluate(() => check(item, run));
      if (unsure) return true;
      if (valid) count++;
    }
    if (count < least)
      return run.fail("contains", `must contain at least ${countText(least, "matching item")}`, schema);
    return count <= most || run.fail("contains", `must contain at most ${countText(most, "matching item")}`, schema);
  };
}

export function uniqueItems(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (given !== true) return undefined;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    const visited = new Set<unknown>();
    for (const item of value) {
      spendForValue(item, run);
      // A composed item and a string never have the same key, because the string is put in quotes.
      const key = typeof item === "object" && item !== null ? canonicalJson(item) : JSON.stringify(item);
      if (visited.has(key)) return run.fail("uniqueItems", "must not hold the same item twice", schema);
      visited.add(key);
    }
    return true;
  };
}
