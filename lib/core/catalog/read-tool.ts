import { reasonOf } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, OVERSIZE, type RawTool, type ToolAnnotations } from "../schema/mcp.ts";
import { MAX_TOOL_CHARS, type ToolDefinition } from "../schema/tool.ts";
import { hasFewerChars, hidden, holdsSecret, icons, meta, optional } from "./listed-members.ts";
import { formerPinOf, pinOf } from "./pin.ts";

/** One tool of a listing, read and pinned. */
export interface PinnedTool {
  readonly definition: ToolDefinition;
  readonly hash: string;
  /** The pin by version 1 of what was sent, before secrets were masked. */
  formerPin(): string;
  /** What of it was left out although the protocol knows it, and why. */
  readonly leftOut: readonly string[];
}

/** Longest tool name taken (UTF-16 units); MCP recommends 128 at most. */
const MAX_NAME = 256;
/** The hints are booleans in MCP; anything else is left out, as if it had not been said. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Reads one entry of `tools/list`. Only members that the protocol knows are taken, since the pin, the scan and the lock
 * file cover exactly these, apart from `execution`. A missing input schema is that of a tool without parameters.
 *
 * An entry with a member of a wrong type is not a tool (MCP 2025-11-25, `Tool`): many clients reject the whole list for
 * it, and without that member the tool would be described as something else than it is. Annotation hints, icons and
 * `_meta` are only hints, so of these the invalid part alone is left out.
 *
 * @param hide replaces the secrets of the tool's own server in a text by the same marker, whatever they are: so a
 *   rotated secret does not change the pin
 * @returns the tool, or why it cannot be taken
 */
export function readListedTool(entry: unknown, hide?: (text: string) => string): PinnedTool | string {
  if (!isJsonObject(entry))
    return `an entry is ${entry === null ? "null" : Array.isArray(entry) ? "a list" : typeof entry}`;
  const { name } = entry;
  if (typeof name !== "string" || name === "") return "an entry has no name";
  if (name.length > MAX_NAME) return `a name is longer than ${MAX_NAME} characters`;
  // Under another name it could not be called.
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

/** The optional members that make an entry a tool only where they are of this type. */
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

/** Of it the proxy knows one member. (MCP 2025-11-25, tasks: Tool-Level Negotiation) */
function execution(given: unknown): ToolDefinition["execution"] {
  const taskSupport = isJsonObject(given) ? given.taskSupport : undefined;
  return taskSupport === "forbidden" || taskSupport === "optional" || taskSupport === "required"
    ? { taskSupport }
    : undefined;
}

/** Since 2026-07-28 any schema; earlier, one of an object, whose `type` some servers leave out. */
function outputSchema(schema: unknown): McpObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  return schema.type === undefined && schema.properties !== undefined ? { ...schema, type: "object" } : schema;
}

/** MCP wants `type: "object"` at the root of the input schema; clients refuse a list without it. */
function objectSchema(schema: unknown): McpObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

/** Members beyond those of the protocol stay: pins of version 1 covered them, and the scan reads them. */
function annotations(given: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(given)) return undefined;
  const wrong = (key: string) =>
    key === "title"
      ? typeof given.title !== "string"
      : HINTS.some((hint) => hint === key) && typeof given[key] !== "boolean";
  return Object.fromEntries(Object.entries(given).filter(([key]) => !wrong(key)));
}
