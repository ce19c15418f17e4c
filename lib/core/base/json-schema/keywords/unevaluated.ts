import type { Check, KeywordContext } from "../check.ts";
import { restItems } from "./arrays.ts";
import { unknownProperties } from "./objects.ts";
import { unsupportedKeyword } from "./unsupported.ts";

/**
 * `unevaluatedProperties` is supported only in a schema without subschemas, where it means the same as
 * `additionalProperties`.
 */
export function unevaluatedProperties(given: unknown, compiling: KeywordContext): Check | undefined {
  const { schema } = compiling;
  if (given === true || Object.hasOwn(schema, "additionalProperties")) return undefined;
  if (APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword))) return unsupportedKeyword("unevaluatedProperties");
  return unknownProperties(given, compiling);
}

export function unevaluatedItems(given: unknown, { schema, child }: KeywordContext): Check | undefined {
  if (given === true || (Object.hasOwn(schema, "items") && !Array.isArray(schema.items))) return undefined;
  if (Array.isArray(schema.items) || APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword)))
    return unsupportedKeyword("unevaluatedItems");
  return restItems(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, child(given));
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
