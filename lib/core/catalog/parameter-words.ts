import type { McpObject } from "../schema/mcp.ts";

/** The words of an input schema. */
interface ParameterWords {
  readonly names: string[];
  /** Descriptions and enumerated values. */
  readonly texts: string[];
}

/** Deeper parameters are ignored; a schema may refer to itself without end. */
const MAX_DEPTH = 4;
/** Maximum number of parameters that are read. */
const MAX_COUNT = 300;

/**
 * Collects the names, descriptions and enumerated values of a schema's properties, including those of nested objects
 * and of alternatives.
 */
export function parameterWords(schema: McpObject): ParameterWords {
  const words: ParameterWords = { names: [], texts: [] };
  walk(schema, 0, words);
  return words;
}

function walk(schema: unknown, depth: number, words: ParameterWords): void {
  if (!isObject(schema) || depth > MAX_DEPTH) return;
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (words.names.length >= MAX_COUNT) return;
    words.names.push(name);
    if (!isObject(property)) continue;
    if (typeof property.description === "string") words.texts.push(property.description);
    for (const variant of [property, ...variantsOf(property)]) {
      for (const value of Array.isArray(variant.enum) ? variant.enum.slice(0, MAX_COUNT) : [])
        if (typeof value === "string") words.texts.push(value);
      walk(variant, depth + 1, words);
      walk(variant.items, depth + 1, words);
    }
  }
}

function variantsOf(schema: McpObject): McpObject[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((key) => {
    const variants = schema[key];
    return Array.isArray(variants) ? variants.slice(0, MAX_COUNT).filter(isObject) : [];
  });
}

function isObject(value: unknown): value is McpObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
