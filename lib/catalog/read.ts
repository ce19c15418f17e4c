import { reasonOf } from "../base/fault.ts";
import type { JsonObject, ToolAnnotations } from "../shape/mcp.ts";
import type { ToolDefinition } from "../shape/tool.ts";
import { pinOf } from "./pin.ts";

/** One tool of a listing, read and pinned. */
export interface FoundTool {
  readonly definition: ToolDefinition;
  readonly hash: string;
  /** As sent, with the members that were mistyped put right or left out. */
  readonly raw: JsonObject;
}

/** Longest tool name taken (UTF-16 units); MCP recommends 128 at most. */
const NAME_MAX = 256;

/** The hints are booleans in MCP; anything else is left out, as if it had not been said. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Reads one entry of `tools/list`. Members of a wrong type are left out rather than passed on, since one of them makes
 * clients refuse the whole list; a missing input schema is that of a tool without parameters.
 *
 * @returns the tool, or why it cannot be taken
 */
export function read(entry: unknown): FoundTool | string {
  if (!isObject(entry)) return "an entry is no object";
  const { name } = entry;
  if (typeof name !== "string" || name === "") return "an entry has no name";
  if (name.length > NAME_MAX) return `a name is longer than ${NAME_MAX} characters`;
  const definition: ToolDefinition = {
    name,
    description: typeof entry.description === "string" ? entry.description : "",
    inputSchema: objectSchema(entry.inputSchema) ?? { type: "object" },
    ...optional("title", typeof entry.title === "string" ? entry.title : undefined),
    ...optional("outputSchema", objectSchema(entry.outputSchema)),
    ...optional("annotations", annotations(entry.annotations)),
  };
  const raw: JsonObject = { ...entry, ...definition };
  for (const part of ["title", "outputSchema", "annotations"] as const)
    if (definition[part] === undefined) delete raw[part];
  try {
    return { definition, hash: pinOf(definition), raw };
  } catch (error) {
    return `tool ${JSON.stringify(name)} has a schema ${reasonOf(error)}`;
  }
}

/** MCP wants `type: "object"` at the root of both schemas; clients refuse a list without it. */
function objectSchema(schema: unknown): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

function annotations(given: unknown): ToolAnnotations | undefined {
  if (!isObject(given)) return undefined;
  const wrong = (key: string) =>
    key === "title"
      ? typeof given.title !== "string"
      : HINTS.some((hint) => hint === key) && typeof given[key] !== "boolean";
  return Object.fromEntries(Object.entries(given).filter(([key]) => !wrong(key)));
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
