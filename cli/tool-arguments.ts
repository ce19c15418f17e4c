import { isJsonObject, type JsonObject } from "#lib/core/base/json-object.ts";
import { quoted } from "./self.ts";
import { cut, pad, width } from "./width.ts";

/** Longest description of one argument (characters), and maximum number of arguments that are shown. */
const MAX_ABOUT = 100;
const MAX_ARGUMENTS = 40;

/** The required arguments of a tool, by its input schema. */
export function requiredArguments({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** The names of a tool's arguments, the required ones first. */
export function argumentNames(schema: JsonObject): string[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return [...new Set([...requiredArguments(schema), ...Object.keys(properties)])];
}

/** Type and description of one argument, for people: `string, required`. */
export function argumentText(schema: JsonObject, name: string): { type: string; about: string } {
  const shape = argumentSchema(schema, name);
  const isRequired = requiredArguments(schema).includes(name);
  return { type: `${typeOf(shape)}${isRequired ? ", required" : ""}`, about: aboutOf(shape) };
}

/** A tool's arguments by its input schema, one per line, the required ones first. */
export function argumentLines(schema: JsonObject): string[] {
  const names = argumentNames(schema);
  const rows = names.slice(0, MAX_ARGUMENTS).map((name) => {
    const { type, about } = argumentText(schema, name);
    return [name, type, about] as const;
  });
  const [wideName, wideType] = [0, 1].map((i) => Math.max(0, ...rows.map((row) => width(row[i]!))));
  const lines = rows.map(([name, type, about]) =>
    `  ${pad(name, wideName!)}   ${pad(type, wideType!)}   ${about}`.trimEnd(),
  );
  return names.length > rows.length ? [...lines, `  and ${names.length - rows.length} more`] : lines;
}

/** The schema of one argument; empty if the tool declares none. */
export function argumentSchema(schema: JsonObject, name: string): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(property) ? property : {};
}

/** The required arguments as words for an example: `path=…`, `limit=0`, `filter:='{}'`. */
export function exampleArguments(schema: JsonObject): string {
  const words = requiredArguments(schema).map((name) => {
    const value = placeholder(argumentSchema(schema, name));
    return typeof value === "object" ? `${name}:=${JSON.stringify(value)}` : `${name}=${value}`;
  });
  return words.map(quoted).join(" ");
}

function typeOf({ type, enum: words }: JsonObject): string {
  if (Array.isArray(words)) return cut(words.map((word) => JSON.stringify(word)).join(" | "), MAX_ABOUT);
  return Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any";
}

function aboutOf({ description }: JsonObject): string {
  return typeof description === "string" ? cut(description.replace(/\s+/g, " ").trim(), MAX_ABOUT) : "";
}

function placeholder({ type, enum: words }: JsonObject): unknown {
  if (Array.isArray(words) && words.length > 0) return words[0];
  const first = Array.isArray(type) ? type[0] : type;
  const examples: Readonly<Record<string, unknown>> = { number: 0, integer: 0, boolean: true, array: [], object: {} };
  return typeof first === "string" && Object.hasOwn(examples, first) ? examples[first] : "…";
}
