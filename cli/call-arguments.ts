import type { Readable } from "node:stream";
import { reasonOf } from "#lib/core/base/fault.ts";
import { isJsonObject, type JsonObject, setOwnProperty } from "#lib/core/base/json-object.ts";
import { UsageError } from "./exit.ts";
import { readText } from "./read-text.ts";
import { argumentSchema } from "./tool-arguments.ts";

/**
 * Reads `--args`.
 *
 * @param argument JSON text, `@file`, or `-` for standard input
 * @throws UsageError
 */
export async function readArguments(argument: string, stdin: Readable): Promise<JsonObject> {
  const text = await source("--args", argument, stdin);
  const value = jsonOf("--args", text);
  if (!isJsonObject(value)) throw new UsageError('--args must be a JSON object such as {"path":"."}');
  return value;
}

/**
 * Reads arguments as words: `name=text`, `name:=json`, `name=@file` with the text of a file, and `name:=@file` with
 * JSON from a file.
 *
 * @param schema the tool's input schema: a text becomes a number or a boolean where the schema requires one
 * @throws UsageError
 */
export async function argumentPairs(
  words: readonly string[],
  schema: JsonObject,
  stdin: Readable,
): Promise<JsonObject> {
  const values: JsonObject = {};
  for (const word of words) {
    const [, name, sign, given = ""] = /^(.+?)(:=|=)(.*)$/s.exec(word) ?? [];
    if (name === undefined)
      throw new UsageError(`"${word}" is not an argument; write name=value, or name:=json for JSON`);
    const text = given.startsWith("@") ? await source(name, given, stdin) : given;
    setOwnProperty(values, name, sign === ":=" ? jsonOf(name, text) : typedArgument(name, text, schema));
  }
  return values;
}

/**
 * A typed text as the value that the schema requires.
 *
 * @throws UsageError if it is no such value
 */
export function typedArgument(name: string, text: string, schema: JsonObject): unknown {
  const { type } = argumentSchema(schema, name);
  if (type === "number" || type === "integer") {
    const number = Number(text);
    if (text.trim() === "" || !Number.isFinite(number) || (type === "integer" && !Number.isInteger(number)))
      throw new UsageError(`${name} must be ${type === "integer" ? "an integer" : "a number"}, not "${text}"`);
    return number;
  }
  if (type === "boolean") {
    if (text !== "true" && text !== "false") throw new UsageError(`${name} must be true or false, not "${text}"`);
    return text === "true";
  }
  if (type !== "array" && type !== "object") return text;
  const value = jsonOf(name, text);
  if (type === "array" ? Array.isArray(value) : isJsonObject(value)) return value;
  throw new UsageError(`${name} must be a JSON ${type}; write ${name}:=${type === "array" ? "'[…]'" : "'{…}'"}`);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${reasonOf(error)}`);
  }
}

async function source(name: string, argument: string, stdin: Readable): Promise<string> {
  if (argument === "-") return (await stdin.setEncoding("utf8").toArray()).join("");
  if (!argument.startsWith("@")) return argument;
  return await readText(argument.slice(1), { stdin }, { flag: name });
}
