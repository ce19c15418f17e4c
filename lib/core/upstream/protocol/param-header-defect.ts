import { isJsonObject } from "../../base/json-object.ts";
import type { McpObject } from "../../schema/mcp.ts";

const KEY = "x-mcp-header";
/** A valid HTTP field name (RFC 9110 §5.1). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/**
 * Returns why a tool must not be offered, because its schema declares headers against the rules (MCP 2026-07-28,
 * streamable HTTP, schema extension). @returns undefined if all declarations are valid
 */
export function paramHeaderDefect(inputSchema: unknown): string | undefined {
  const names = new Set<string>();
  for (const { schema, isParameter } of schemasIn(inputSchema, false, true)) {
    const { type, [KEY]: name } = schema;
    if (name === undefined) continue;
    if (typeof name !== "string" || !TOKEN.test(name)) return `${KEY} ${shown(name)} is no header name`;
    if (!isParameter) return `${KEY} ${shown(name)} stands where no single argument is described`;
    if (!TYPES.has(type)) return `${KEY} ${shown(name)} is declared for an argument of type ${shown(type)}`;
    if (names.has(name.toLowerCase())) return `${KEY} ${shown(name)} is declared twice`;
    names.add(name.toLowerCase());
  }
  return undefined;
}

interface Subschema {
  readonly schema: McpObject;
  /** True if the schema is reached by `properties` only and is not the root. */
  readonly isParameter: boolean;
}

/** @param isChain whether the value itself is reached by `properties` only */
function* schemasIn(value: unknown, isParameter: boolean, isChain: boolean): Generator<Subschema> {
  if (Array.isArray(value)) for (const one of value) yield* schemasIn(one, false, false);
  if (!isJsonObject(value)) return;
  yield { schema: value, isParameter };
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === KEY || DATA.has(keyword)) continue;
    if (NAMED.has(keyword) && isJsonObject(inner)) {
      const isNext = keyword === "properties" && isChain;
      for (const one of Object.values(inner)) yield* schemasIn(one, isNext, isNext);
    } else yield* schemasIn(inner, false, false);
  }
}

/** Keywords whose members are schemas with arbitrary names. */
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 100);
}
