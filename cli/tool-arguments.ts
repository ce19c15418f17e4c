import { isJsonObject, type JsonObject } from "#lib/core/base/json-object.ts";
import { cut, pad, width } from "./width.ts";

/** Longest description of one argument (characters), and maximum number of arguments that are shown. */
const MAX_ABOUT = 100;
const MAX_ARGUMENTS = 40;

/** The required arguments of a tool, by its input schema. */
export function requiredArguments({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** A tool's arguments by its input schema, one per line, the required ones first. */
export function argumentLines(schema: JsonObject): string[] {
  const required = new Set(requiredArguments(schema));
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const names = [...required, ...Object.keys(properties).filter((name) => !required.has(name))];
  const rows = names.slice(0, MAX_ARGUMENTS).map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const shape = isJsonObject(property) ? property : {};
    return [name, `${typeOf(shape)}${required.has(name) ? ", required" : ""}`, aboutOf(shape)] as const;
  });
  const [wideName, wideType] = [0, 1].map((i) => Math.max(0, ...rows.map((row) => width(row[i]!))));
  const lines = rows.map(([name, type, about]) =>
    `  ${pad(name, wideName!)}   ${pad(type, wideType!)}   ${about}`.trimEnd(),
  );
  return names.length > rows.length ? [...lines, `  and ${names.length - rows.length} more`] : lines;
}

/** The required arguments as JSON text for an example. */
export function exampleArguments(schema: JsonObject): string {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const value = (name: string) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return placeholder(isJsonObject(property) ? property : {});
  };
  return JSON.stringify(Object.fromEntries(requiredArguments(schema).map((name) => [name, value(name)])));
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
