import type { Check, KeywordContext } from "./check.ts";
import { allOf, anyOf, condition, not, oneOf, reference } from "./keywords/applicators.ts";
import { additionalItems, contains, items, maxItems, minItems, prefixItems, uniqueItems } from "./keywords/arrays.ts";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } from "./keywords/numbers.ts";
import {
  dependencies,
  dependentRequired,
  dependentSchemas,
  maxProperties,
  minProperties,
  patternProperties,
  properties,
  propertyNames,
  required,
  unknownProperties,
} from "./keywords/objects.ts";
import { maxLength, minLength, pattern } from "./keywords/strings.ts";
import { unevaluatedItems, unevaluatedProperties } from "./keywords/unevaluated.ts";
import { unsupportedKeyword } from "./keywords/unsupported.ts";
import { constant, enumeration, type } from "./keywords/values.ts";

/** Compiles the value of a keyword into a check; undefined if this value imposes no restriction. */
type Make = (given: unknown, compiling: KeywordContext) => Check | undefined;

/**
 * All supported keywords, in the order in which their problems are most useful to a reader: the type of a value before
 * its content. Other keywords are annotations. (JSON Schema 2020-12; keywords of older drafts are marked)
 */
export const KEYWORDS: readonly (readonly [string, Make])[] = [
  ["$ref", reference],
  ["$dynamicRef", () => unsupportedKeyword("$dynamicRef")],
  ["$recursiveRef", () => unsupportedKeyword("$recursiveRef")], // 2019-09
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
