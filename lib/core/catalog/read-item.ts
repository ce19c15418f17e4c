import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { reasonOf } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";
import { type McpObject, OVERSIZE } from "../schema/mcp.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";
import { hasFewerChars, hidden, holdsSecret, icons, meta, optional } from "./listed-members.ts";
import { PIN_VERSION } from "./pin.ts";

/** One prompt, resource or template of a listing, read and pinned. */
export interface PinnedItem {
  /** A prompt's name, a resource's URI, a template's URI template. */
  readonly name: string;
  readonly definition: McpObject;
  readonly hash: string;
  /** What of it was left out although the protocol knows it, and why. */
  readonly leftOut: readonly string[];
}

/** The member that names an item of each kind, and its longest value taken. (UTF-16 units) */
const KEYS: Readonly<Record<ListedKind, readonly [member: string, max: number]>> = {
  prompt: ["name", 256],
  resource: ["uri", 8192],
  template: ["uriTemplate", 8192],
};
/** Largest item, as the characters of all its texts, keys and numbers but for icons. */
const MAX_ITEM_CHARS = 64 * 1024;
const MAX_NAME = 1024;
const MAX_ARGUMENTS = 100;

/**
 * Reads one entry of `prompts/list`, `resources/list` or `resources/templates/list`. Only members that the protocol
 * knows are taken, since the pin, the scan and the lock file cover these.
 *
 * @param hide replaces the secrets of the item's own server in a text by the same marker, whatever they are
 * @returns the item, or why it cannot be taken
 */
export function readListedItem(kind: ListedKind, entry: unknown, hide?: (text: string) => string): PinnedItem | string {
  const { noun } = ITEM_WORDS[kind];
  if (!isJsonObject(entry)) return `an entry is ${entry === null ? "null" : typeof entry}`;
  const [key, max] = KEYS[kind];
  const name = entry[key];
  if (typeof name !== "string" || name === "") return `an entry has no ${key}`;
  if (name.length > max) return `a ${key} is longer than ${max} characters`;
  // Under another name it could not be read.
  if (hide && hide(name) !== name) return `a ${key} repeats a secret of its server`;
  const what = `${noun} ${JSON.stringify(name.slice(0, MAX_NAME))}`;
  const wrong = TEXTS.find((member) => entry[member] !== undefined && typeof entry[member] !== "string");
  if (wrong) return `${what}: ${wrong} is not of type string`;
  if ((entry as { [OVERSIZE]?: true })[OVERSIZE] || !hasFewerChars({ ...entry, icons: undefined }, MAX_ITEM_CHARS))
    return `${what} is larger than the ${MAX_ITEM_CHARS} characters that are taken of a ${noun}`;
  const leftOut: string[] = [];
  const fault = (why: string) => void leftOut.push(`${what}: ${why}`);
  const sent: McpObject = {
    ...(kind === "prompt" ? { name } : { [key]: name, name: shownName(entry.name, name) }),
    ...optional("title", textOf(entry.title)),
    ...optional("description", textOf(entry.description)),
    ...(kind === "prompt"
      ? optional("arguments", argumentsIn(entry.arguments, fault))
      : {
          ...optional("mimeType", textOf(entry.mimeType)),
          ...(kind === "resource" && optional("size", sizeOf(entry.size))),
          ...optional("annotations", annotationsIn(entry.annotations)),
        }),
    ...optional("icons", icons(entry.icons, fault)),
    ...optional("_meta", meta(entry._meta, fault)),
  };
  try {
    canonicalJson(sent, MAX_TOOL_DEPTH);
    const definition = hide && holdsSecret(sent, hide) ? (hidden(sent, hide) as McpObject) : sent;
    return { name, definition, hash: itemPinOf(kind, definition), leftOut };
  } catch (error) {
    return `${what} is ${reasonOf(error)}`;
  }
}

/**
 * The pin of an item: everything that is listed of it to clients, but for a resource's size and when it was changed,
 * which say nothing to a model and are others every day.
 *
 * @throws RangeError when a part is nested deeper than `MAX_TOOL_DEPTH`
 */
function itemPinOf(kind: ListedKind, { size: _, annotations, ...definition }: McpObject): string {
  const { lastModified: __, ...lasting } = isJsonObject(annotations) ? annotations : {};
  const hints = Object.keys(lasting).length > 0 && { annotations: lasting };
  const text = canonicalJson({ kind, ...definition, ...hints }, MAX_TOOL_DEPTH + 1);
  return `sha256/v${PIN_VERSION}:${createHash("sha256").update(text).digest("hex")}`;
}

/** The texts of an item in the form of a tool, since the offline scan reads tools. */
export function toolFormOf(kind: ListedKind, definition: McpObject): ToolDefinition {
  const { name, title, description, arguments: args, uri, uriTemplate, mimeType, icons, _meta } = definition;
  const properties = Array.isArray(args)
    ? Object.fromEntries(args.filter(isJsonObject).map(({ name, required: _, ...texts }) => [String(name), texts]))
    : {};
  // Read by `readListedItem`, so the members are of these types.
  return {
    name: String(name ?? ""),
    description: String(description ?? ""),
    inputSchema: { type: "object", properties },
    ...optional("title", title as string | undefined),
    // Members beyond those of a tool are scanned as its other texts are.
    ...(kind !== "prompt" && {
      annotations: { uri: uri ?? uriTemplate, mimeType } as ToolDefinition["annotations"] & object,
    }),
    ...optional("icons", icons as ToolDefinition["icons"]),
    ...optional("_meta", _meta as McpObject | undefined),
  };
}

/** Where a finding stands in the item itself. */
export function itemLocation(location: string): string {
  return location.replace(/^inputSchema\.properties\b/, "arguments").replace(/^annotations\.(uri|mimeType)\b/, "$1");
}

/** The optional members that are texts. */
const TEXTS = ["title", "description", "mimeType"] as const;

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

function shownName(name: unknown, uri: string): string {
  return (typeof name === "string" && name !== "" ? name : uri).slice(0, MAX_NAME);
}

function sizeOf(size: unknown): number | undefined {
  return typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/** `Annotations` of a resource (MCP 2025-11-25): hints, so an invalid one is left out. */
function annotationsIn(given: unknown): McpObject | undefined {
  if (!isJsonObject(given)) return undefined;
  const { audience, priority, lastModified } = given;
  const readers =
    Array.isArray(audience) && audience.filter((one) => one === "user" || one === "assistant").slice(0, 2);
  const isDate =
    typeof lastModified === "string" && /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,16}(?:Z|[+-]\d\d:?\d\d)?)?$/.test(lastModified);
  const known = {
    ...(readers && { audience: readers }),
    ...(typeof priority === "number" && priority >= 0 && priority <= 1 && { priority }),
    ...(isDate && { lastModified }),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}

function argumentsIn(given: unknown, fault: (why: string) => void): McpObject[] | undefined {
  if (given === undefined) return undefined;
  const all = Array.isArray(given) ? given : [];
  const good = all.slice(0, MAX_ARGUMENTS).flatMap((one) => {
    if (!isJsonObject(one) || typeof one.name !== "string" || one.name === "") return [];
    return {
      name: one.name,
      ...optional("title", textOf(one.title)),
      ...optional("description", textOf(one.description)),
      ...(typeof one.required === "boolean" && { required: one.required }),
    };
  });
  if (!Array.isArray(given) || good.length < given.length)
    fault(`of its arguments, only ${MAX_ARGUMENTS} that have a name are taken`);
  return good;
}
