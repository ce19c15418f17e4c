import { reasonOf } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, OVERSIZE, type RawTool, type ToolAnnotations } from "../schema/mcp.ts";
import { MAX_TOOL_CHARS, type ToolDefinition } from "../schema/tool.ts";
import { hasFewerChars, hidden, holdsSecret, icons, meta, optional } from "./listed-members.ts";
import { formerPinOf, pinOf } from "./pin.ts";

/** One listed tool with its pin. */
export interface PinnedTool {
  readonly definition: ToolDefinition;
  readonly hash: string;
  /** Returns the pin of version 1 for the definition before secrets were masked. */
  formerPin(): string;
  /** Invalid members that were left out, and why. */
  readonly leftOut: readonly string[];
}

/** Maximum length of a tool name (UTF-16 units); MCP recommends at most 128. */
const MAX_NAME = 256;
/** The annotations that are booleans in MCP. A value of another type is left out, as if the annotation were absent. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Reads one entry of `tools/list`. Only members of the protocol are kept, because the pin, the scan and the lock file
 * cover only these (except `execution`). A missing input schema means that the tool has no parameters.
 *
 * An entry with a member of a wrong type is rejected (MCP 2025-11-25, `Tool`): because of it many clients reject the
 * whole list, and without the member the description of the tool would be wrong. Of annotations, icons and `_meta`,
 * which are only hints, just the invalid part is left out.
 *
 * @param hide replaces the secrets of the tool's server in a text; the replacement does not depend on the secret, so a
 *   rotated secret does not change the pin
 * @returns the tool, or why the entry is invalid
 */
export function readListedTool(entry: unknown, hide?: (text: string) => string): PinnedTool | string {
  if (!isJsonObject(entry))
    return `an entry is ${entry === null ? "null" : Array.isArray(entry) ? "a list" : typeof entry}`;
  const { name } = entry;
  if (typeof name !== "string" || name === "") return "an entry has no name";
  if (name.length > MAX_NAME) return `a name is longer than ${MAX_NAME} characters`;
  // If the name were changed, the tool could not be called.
  if (hide && hide(name) !== name) return "a name repeats a secret of its server";
  const wrong = MEMBERS.find(([member, type]) => !isOfType(entry[member], type));
  if (wrong) return `tool ${JSON.stringify(name)}: ${wrong[0]} is not of type ${wrong[1]}`;
  if ((entry as Partial<RawTool>)[OVERSIZE] || !hasFewerChars({ ...entry, icons: undefined }, MAX_TOOL_CHARS))
    return `tool ${JSON.stringify(name)} is larger than the maximum of ${MAX_TOOL_CHARS} characters`;
  const leftOut: string[] = [];
  const sent: ToolDefinition = {
    name,
    description: typeof entry.description === "string" ? entry.description : "",
    inputSchema: objectSchema(entry.inputSchema) ?? { type: "object" },
    ...optional("title", typeof entry.title === "string" ? entry.title : undefined),
    ...optional("outputSchema", outputSchema(entry.outputSchema)),
    ...optional("annotations", annotations(entry.annotations)),
    ...optional(
      "icons",
      icons(entry.icons, (why) => leftOut.push(`tool ${JSON.stringify(name)}: ${why}`)),
    ),
    ...optional(
      "_meta",
      meta(entry._meta, (why) => leftOut.push(`tool ${JSON.stringify(name)}: ${why}`)),
    ),
    ...optional("execution", execution(entry.execution)),
  };
  try {
    const hash = pinOf(sent);
    if (!hide || !holdsSecret(sent, hide))
      return { definition: sent, hash, formerPin: () => formerPinOf(sent), leftOut };
    const definition = hidden(sent, hide) as ToolDefinition;
    return { definition, hash: pinOf(definition), formerPin: () => formerPinOf(sent), leftOut };
  } catch (error) {
    return `tool ${JSON.stringify(name)} is ${reasonOf(error)}`;
  }
}

/** The optional members and their required types. */
const MEMBERS = [
  ["inputSchema", "object"],
  ["outputSchema", "object"],
  ["annotations", "object"],
  ["description", "string"],
  ["title", "string"],
] as const;

function isOfType(value: unknown, type: "object" | "string"): boolean {
  return value === undefined || (type === "object" ? isJsonObject(value) : typeof value === type);
}

/** Reads `execution`, of which the proxy knows one member. (MCP 2025-11-25, tasks: Tool-Level Negotiation) */
function execution(value: unknown): ToolDefinition["execution"] {
  const taskSupport = isJsonObject(value) ? value.taskSupport : undefined;
  return taskSupport === "forbidden" || taskSupport === "optional" || taskSupport === "required"
    ? { taskSupport }
    : undefined;
}

/**
 * Since 2026-07-28 the output schema may be any schema. Before, it was that of an object, and some servers omit its
 * `type`.
 */
function outputSchema(schema: unknown): McpObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  return schema.type === undefined && schema.properties !== undefined ? { ...schema, type: "object" } : schema;
}

/** MCP requires `type: "object"` at the root of the input schema; clients reject a list without it. */
function objectSchema(schema: unknown): McpObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

/** Unknown annotations are kept, because pins of version 1 covered them and the scan reads them. */
function annotations(value: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(value)) return undefined;
  const wrong = (key: string) =>
    key === "title"
      ? typeof value.title !== "string"
      : HINTS.some((hint) => hint === key) && typeof value[key] !== "boolean";
  return Object.fromEntries(Object.entries(value).filter(([key]) => !wrong(key)));
}
