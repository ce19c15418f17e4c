import type { Check, Compiling } from "../check.ts";
import { rest } from "./arrays.ts";
import { unknownProperties } from "./objects.ts";
import { assumed } from "./unsupported.ts";

/** Alone in its schema it means what `additionalProperties` does; what other schemas evaluate is not followed. */
export function unevaluatedProperties(given: unknown, compiling: Compiling): Check | undefined {
  const { schema } = compiling;
  if (given === true || Object.hasOwn(schema, "additionalProperties")) return undefined;
  if (APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword))) return assumed("unevaluatedProperties");
  return unknownProperties(given, compiling);
}

export function unevaluatedItems(given: unknown, { schema, child }: Compiling): Check | undefined {
  if (given === true || (Object.hasOwn(schema, "items") && !Array.isArray(schema.items))) return undefined;
  if (Array.isArray(schema.items) || APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword)))
    return assumed("unevaluatedItems");
  return rest(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0, child(given));
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
