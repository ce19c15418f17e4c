import { isJsonObject, type JsonObject, setOwnProperty } from "#lib/core/base/json-object.ts";
import { UsageError } from "./exit.ts";

/** Splits a key: `logging.level`, `mcpServers.git.env.HOME`. @throws UsageError */
export function steps(key: string): string[] {
  const found = key.split(".");
  if (found.some((step) => step === ""))
    throw new UsageError(`"${key}" is not a valid key; write a key such as logging.level`);
  return found;
}

/** The value at a key; an element of a list is selected by name or index. Undefined if there is none. */
export function valueAt(document: unknown, key: string): unknown {
  return steps(key).reduce<unknown>((value, step) => {
    if (Array.isArray(value))
      return value.find((item, at) => String(at) === step || (isJsonObject(item) && item.name === step));
    return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, document);
}

/** Creates a document with one value at a key. @throws UsageError for an element of a list */
export function documentWith(key: string, value: unknown): JsonObject {
  const path = steps(key);
  if (path.length > 1 && (path[0] === "mcpServers" || path[0] === "profiles"))
    throw new UsageError(
      `${path[0]} is a list and can only be set as a whole; to change a server use: proxy upstream patch`,
    );
  return path.reduceRight<unknown>((inner, step) => {
    const outer: JsonObject = {};
    setOwnProperty(outer, step, inner);
    return outer;
  }, value) as JsonObject;
}

/** Parses a typed value: as JSON if valid, otherwise as text. */
export function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
