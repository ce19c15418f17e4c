import { firstSentence } from "../base/first-sentence.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { ToolDefinition } from "../schema/tool.ts";

/** One entry of a compact search result, without its id and score (spec 001 §4.1). */
export interface ToolSignature {
  /** The parameters in one line: `(path*:str, depth:int=3, filter~:obj)`. */
  sig: string;
  /** The first sentence of the description, in one line. */
  desc: string;
  /** True if `sig` omits something of the schema, so that the full definition may be needed. */
  lossy: boolean;
}

/** The text for a type, and whether it omits something of the schema. */
type Written = readonly [text: string, lossy: boolean];

/** Enumerations with more values are shortened. */
const MAX_ENUM = 5;
/** Longer defaults are omitted (characters). */
const MAX_DEFAULT = 20;
const SCALARS = new Map([
  ["string", "str"],
  ["integer", "int"],
  ["number", "num"],
  ["boolean", "bool"],
]);
const UNREADABLE = "(~)";

/**
 * Returns the compact form of a tool. `*` marks a required parameter, `~` a simplified type, `(~)` an unreadable
 * schema. Required parameters are in the order of the schema, the others are sorted by name.
 */
export function toolSignature(tool: Pick<ToolDefinition, "description" | "inputSchema">): ToolSignature {
  const desc = firstSentence(tool.description.trim()).replace(/\s+/g, " ");
  const schema: unknown = tool.inputSchema;
  if (!isObject(schema) || (typeof schema.type === "string" && schema.type !== "object"))
    return { sig: UNREADABLE, desc, lossy: true };
  const properties = isObject(schema.properties) ? schema.properties : {};
  const named = Array.isArray(schema.required) ? schema.required.filter((n): n is string => typeof n === "string") : [];
  const required = new Set(named);
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const written = [
    ...[...required].map((name) =>
      parameter(name, Object.hasOwn(properties, name) ? properties[name] : undefined, true),
    ),
    ...optional.sort(byCodePoint).map((name) => parameter(name, properties[name], false)),
  ];
  return { sig: `(${written.map(([text]) => text).join(", ")})`, desc, lossy: written.some(([, lossy]) => lossy) };
}

function parameter(name: string, schema: unknown, required: boolean): Written {
  const [type, lossy] = isObject(schema) ? typeOf(schema) : (["any", true] as const);
  const value =
    !required && isObject(schema) && [...SCALARS.values()].includes(type) ? literal(schema.default) : undefined;
  const shown = value !== undefined && [...value].length <= MAX_DEFAULT ? `=${atom(value)}` : "";
  return [`${atom(name)}${required ? "*" : ""}${lossy ? "~" : ""}:${type}${shown}`, lossy];
}

function typeOf(schema: McpObject): Written {
  if (Array.isArray(schema.enum)) return enumeration(schema.enum) ?? [declared(schema)?.[0] ?? "any", true];
  return declared(schema) ?? variants(schema) ?? ["$ref" in schema || "properties" in schema ? "obj" : "any", true];
}

function enumeration(values: readonly unknown[]): Written | undefined {
  const literals = values.map(literal);
  if (literals.length === 0 || literals.length > MAX_ENUM || literals.includes(undefined)) return undefined;
  return [`enum[${literals.map((text) => atom(text!)).join("|")}]`, false];
}

/** Returns the text for the member `type`, which may be a list. */
function declared(schema: McpObject): Written | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return union(type.filter((t) => typeof t === "string"));
  if (typeof type !== "string") return undefined;
  return type === "array" ? array(schema.items) : simple(type);
}

function variants(schema: McpObject): Written | undefined {
  for (const key of ["anyOf", "oneOf"]) {
    const list = schema[key];
    if (!Array.isArray(list)) continue;
    const types = list.map((variant) => (isObject(variant) ? variant.type : undefined));
    return types.every((t) => typeof t === "string") ? union(types) : ["obj", true];
  }
  return undefined;
}

function union(types: readonly string[]): Written {
  const members = [...new Set(types.filter((type) => type !== "null").map((type) => simple(type)[0]))];
  if (members.length === 0) return ["any", true];
  return [members.join("|"), members.some((member) => member === "obj" || member === "any")];
}

function array(items: unknown): Written {
  const type = isObject(items) && typeof items.type === "string" ? simple(items.type)[0] : "any";
  return [`[${type}]`, type === "obj" || type === "any"];
}

function simple(type: string): Written {
  const scalar = SCALARS.get(type);
  return scalar === undefined ? [type === "object" ? "obj" : "any", true] : [scalar, false];
}

/** Returns a scalar as text; undefined for any other value. Whole numbers are not written with an exponent. */
function literal(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return typeof value === "boolean" || value === null ? String(value) : undefined;
}

/** Writes a name or value in a signature, in quotes if it could be confused with the syntax. */
function atom(text: string): string {
  if (text !== "" && !/[ ,:|=()*~[\]"\p{Cc}]/u.test(text)) return text;
  return JSON.stringify(text).replaceAll("~", "\\u007E");
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isObject(value: unknown): value is McpObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
