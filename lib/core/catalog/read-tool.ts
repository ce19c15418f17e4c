import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "../base/canonical.ts";
import { reasonOf } from "../base/fault.ts";
import { isJsonObject } from "../base/merge.ts";
import { type Icon, type McpObject, OVERSIZE, type RawTool, type ToolAnnotations } from "../schema/mcp.ts";
import { MAX_TOOL_CHARS, MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";
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
/** Bounds of `_meta`: nesting below it, and bytes of its JSON. */
const MAX_META_DEPTH = 20;
const MAX_META_BYTES = 32 * 1024;
const MAX_ICONS = 8;
const MAX_ICON_SIZES = 16;
/** Longest address of an icon, and longest image that an address holds itself (UTF-16 units). */
const MAX_ICON_URL = 2048;
const MAX_ICON_DATA = 32 * 1024;

/** The hints are booleans in MCP; anything else is left out, as if it had not been said. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/**
 * Reads one entry of `tools/list`. Only members that the protocol knows are taken, since the pin, the scan and the lock
 * file cover exactly these; `execution` is not, as tasks are not relayed. A missing input schema is that of a tool
 * without parameters.
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
  if (needsTask(entry))
    return `tool ${JSON.stringify(name)} can only be called as a task, which the proxy does not relay`;
  const leftOut: string[] = [];
  const sent: ToolDefinition = {
    name,
    description: typeof entry.description === "string" ? entry.description : "",
    inputSchema: objectSchema(entry.inputSchema) ?? { type: "object" },
    ...optional("title", typeof entry.title === "string" ? entry.title : undefined),
    ...optional("outputSchema", objectSchema(entry.outputSchema)),
    ...optional("annotations", annotations(entry.annotations)),
    ...optional(
      "icons",
      icons(entry.icons, (why) => leftOut.push(`tool ${JSON.stringify(name)}: ${why}`)),
    ),
    ...optional(
      "_meta",
      meta(entry._meta, (why) => leftOut.push(`tool ${JSON.stringify(name)}: ${why}`)),
    ),
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

/** Whether a call without a task is refused. (MCP 2025-11-25, tasks: Tool-Level Negotiation) */
const needsTask = ({ execution }: McpObject) => isJsonObject(execution) && execution.taskSupport === "required";

/** Whether all texts, keys, numbers and elements of a value come to less; looks at no more than that. */
function hasFewerChars(value: unknown, most: number): boolean {
  let left = most;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    left -= typeof one === "string" ? one.length : 4;
    if (left <= 0) return false;
    if (Array.isArray(one)) {
      if (one.length > left) return false;
      open.push(...one);
    } else if (isJsonObject(one))
      for (const key in one) {
        left -= key.length;
        if (left <= 0) return false;
        open.push(one[key]);
      }
  }
  return true;
}

/** MCP wants `type: "object"` at the root of both schemas; clients refuse a list without it. */
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

function icons(given: unknown, fault: (why: string) => void): Icon[] | undefined {
  if (given === undefined) return undefined;
  const all = Array.isArray(given) ? given : [];
  const good = all.slice(0, MAX_ICONS).flatMap((icon) => iconOf(icon) ?? []);
  if (!isDeepStrictEqual(good, given))
    fault(
      `of its icons, the proxy uses only ${MAX_ICONS} with an https or data:image address and the members src, mimeType, sizes and theme`,
    );
  return good.length > 0 ? good : undefined;
}

function iconOf(icon: unknown): Icon | undefined {
  if (!isJsonObject(icon)) return undefined;
  const { src, mimeType, sizes, theme } = icon;
  if (typeof src !== "string" || !isIconAddress(src)) return undefined;
  const isType = typeof mimeType === "string" && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(mimeType);
  return {
    src,
    ...(isType && { mimeType }),
    ...(Array.isArray(sizes) && { sizes: sizes.slice(0, MAX_ICON_SIZES).filter(isIconSize) }),
    ...((theme === "light" || theme === "dark") && { theme }),
  };
}

/** No plain http: whoever shows the list would fetch it unprotected. */
function isIconAddress(src: string): boolean {
  if (src.length <= MAX_ICON_URL && /^https:\/\/\S+$/i.test(src)) return URL.canParse(src);
  return src.length <= MAX_ICON_DATA && /^data:image\/[\w.+-]{1,64}[;,]\S*$/i.test(src);
}

const isIconSize = (size: unknown): size is string =>
  typeof size === "string" && /^(?:\d{1,5}x\d{1,5}|any)$/.test(size);

function meta(given: unknown, fault: (why: string) => void): McpObject | undefined {
  if (given === undefined) return undefined;
  if (isJsonObject(given) && isSmall(given)) return given;
  fault(
    `its _meta is not an object, is larger than ${MAX_META_BYTES} bytes, or nested more than ${MAX_META_DEPTH} deep`,
  );
  return undefined;
}

function isSmall(value: McpObject): boolean {
  try {
    return Buffer.byteLength(canonicalJson(value, MAX_META_DEPTH)) <= MAX_META_BYTES;
  } catch {
    return false;
  }
}

/** One look at all texts together; few definitions repeat a secret. Masks know the JSON form of a value as well. */
function holdsSecret(definition: ToolDefinition, hide: (text: string) => string): boolean {
  const text = JSON.stringify(definition);
  return hide(text) !== text;
}

/** The same with every text masked, keys included. */
function hidden(value: unknown, hide: (text: string) => string, left = MAX_TOOL_DEPTH + 1): unknown {
  if (left < 0) throw new RangeError(`nested more than ${MAX_TOOL_DEPTH} deep`);
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, hide, left - 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), hidden(item, hide, left - 1)]));
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
