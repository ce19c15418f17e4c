import { isJsonObject, sameJson } from "../../json-object.ts";
import type { Check, KeywordContext } from "../check.ts";
import { describeKind, describeTypes, describeValues } from "../describe.ts";
import type { ValidationRun } from "../validation-run.ts";
import { spendForValue } from "./spend.ts";
import { MAX_COMPARED, MAX_SUGGESTED_LENGTH, suggestion } from "./suggestion.ts";

export function type(given: unknown, { schema }: KeywordContext): Check | undefined {
  const types = Array.isArray(given) ? given : [given];
  const [only] = types;
  const message = (value: unknown) => `must be ${describeTypes(types)}, not ${describeKind(value)}`;
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
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    default:
      // An unknown type name imposes no restriction.
      return true;
  }
}

export function constant(given: unknown, { schema }: KeywordContext): Check {
  return (value, run) => same(value, given, run) || run.fail("const", `must be ${describeValues([given])}`, schema);
}

export function enumeration(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!Array.isArray(given)) return undefined;
  const simple = new Set(given.filter((option) => typeof option !== "object" || option === null));
  const composed = given.filter((option) => typeof option === "object" && option !== null);
  return (value, run) => {
    if (simple.has(value) || composed.some((option) => same(value, option, run))) return true;
    if (run.quiet) return false;
    const words = given.slice(0, MAX_COMPARED).filter((option) => typeof option === "string");
    const hint = typeof value === "string" && value.length <= MAX_SUGGESTED_LENGTH ? suggestion(value, words) : "";
    return run.fail("enum", `must be one of ${describeValues(given)}${hint}`, schema);
  };
}

function same(value: unknown, given: unknown, run: ValidationRun): boolean {
  if (typeof value !== "object" || value === null || typeof given !== "object" || given === null)
    return value === given;
  spendForValue(value, run);
  return sameJson(value, given);
}
