import { firstSentence } from "../base/first-sentence.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { ToolDefinition } from "../schema/tool.ts";

/** One entry of a compact answer, without its id and score (spec 001 §4.1). */
export interface ToolSignature {
  /** One-line parameters: `(path*:str, depth:int=3, filter~:obj)`. */
  sig: string;
  /** First sentence of the description, on one line. */
  desc: string;
  /** Whether `sig` says less than the schema: then the full definition is worth asking for. */
  lossy: boolean;
}

/** A type as written, and whether it says less than the schema. */
type Written = readonly [text: string, lossy: boolean];

/** Most values of an enumeration that are written out. */
const MAX_ENUM = 5;
/** Longest default that is written out (characters). */
const MAX_DEFAULT = 20;
const SCALARS = new Map([
  ["string", "str"],
  ["integer", "int"],
  ["number", "num"],
  ["boolean", "bool"],
]);
const UNREADABLE = "(~)";

/**
 * The compact form of a tool. `*` marks what is required, `~` a type that is simplified, `(~)` a schema that cannot be
 * read. Required parameters come in the schema's order, the others by name.
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

/** What `type` says, a list of types included. */
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

/** A scalar as text; undefined for anything else. Whole numbers are written out in full. */
function literal(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return typeof value === "boolean" || value === null ? String(value) : undefined;
}

/** A name or value as it stands in a signature: quoted where it could be taken for a part of the grammar. */
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
