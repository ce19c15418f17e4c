import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { reasonOf } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";
import { type McpObject, OVERSIZE } from "../schema/mcp.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";
import { hasFewerChars, hidden, holdsSecret, icons, meta, optional } from "./listed-members.ts";
import { PIN_VERSION } from "./pin.ts";

/** One listed prompt, resource or template with its pin. */
export interface PinnedItem {
  /** The name of a prompt, the URI of a resource, or the URI template of a template. */
  readonly name: string;
  readonly definition: McpObject;
  readonly hash: string;
  /** Invalid members that were left out, and why. */
  readonly leftOut: readonly string[];
}

/** The member that identifies an item of each kind, and its maximum length. (UTF-16 units) */
const KEYS: Readonly<Record<ListedKind, readonly [member: string, max: number]>> = {
  prompt: ["name", 256],
  resource: ["uri", 8192],
  template: ["uriTemplate", 8192],
};
/** Maximum size of an item, in characters of all its texts, keys and numbers except icons. */
const MAX_ITEM_CHARS = 64 * 1024;
const MAX_NAME = 1024;
const MAX_ARGUMENTS = 100;

/**
 * Reads one entry of `prompts/list`, `resources/list` or `resources/templates/list`. Only members of the protocol are
 * kept, because the pin, the scan and the lock file cover only these.
 *
 * @param hide replaces the secrets of the item's server in a text; the replacement does not depend on the secret
 * @returns the item, or why the entry is invalid
 */
export function readListedItem(kind: ListedKind, entry: unknown, hide?: (text: string) => string): PinnedItem | string {
  const { noun } = ITEM_WORDS[kind];
  if (!isJsonObject(entry)) return `an entry is ${entry === null ? "null" : typeof entry}`;
  const [key, max] = KEYS[kind];
  const name = entry[key];
  if (typeof name !== "string" || name === "") return `an entry has no ${key}`;
  if (name.length > max) return `a ${key} is longer than ${max} characters`;
  // If the name were changed, the item could not be read from its server.
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
 * Returns the pin of an item. It covers everything that clients are shown except the size and modification time of a
 * resource, which mean nothing to a model and change often.
 *
 * @throws RangeError if a member is nested deeper than `MAX_TOOL_DEPTH`
 */
function itemPinOf(kind: ListedKind, { size: _, annotations, ...definition }: McpObject): string {
  const { lastModified: __, ...lasting } = isJsonObject(annotations) ? annotations : {};
  const hints = Object.keys(lasting).length > 0 && { annotations: lasting };
  const text = canonicalJson({ kind, ...definition, ...hints }, MAX_TOOL_DEPTH + 1);
  return `sha256/v${PIN_VERSION}:${createHash("sha256").update(text).digest("hex")}`;
}

/** Returns the texts of an item in the form of a tool, because the offline scan reads tools. */
export function toolFormOf(kind: ListedKind, definition: McpObject): ToolDefinition {
  const { name, title, description, arguments: args, uri, uriTemplate, mimeType, icons, _meta } = definition;
  const properties = Array.isArray(args)
    ? Object.fromEntries(args.filter(isJsonObject).map(({ name, required: _, ...texts }) => [String(name), texts]))
    : {};
  // `readListedItem` has checked the types of the members.
  return {
    name: String(name ?? ""),
    description: String(description ?? ""),
    inputSchema: { type: "object", properties },
    ...optional("title", title as string | undefined),
    // The scan reads members that a tool does not have, like all its other texts.
    ...(kind !== "prompt" && {
      annotations: { uri: uri ?? uriTemplate, mimeType } as ToolDefinition["annotations"] & object,
    }),
    ...optional("icons", icons as ToolDefinition["icons"]),
    ...optional("_meta", _meta as McpObject | undefined),
  };
}

/** Converts the location of a finding in the form of a tool to the location in the item. */
export function itemLocation(location: string): string {
  return location.replace(/^inputSchema\.properties\b/, "arguments").replace(/^annotations\.(uri|mimeType)\b/, "$1");
}

/** The optional members that contain text. */
const TEXTS = ["title", "description", "mimeType"] as const;

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

function shownName(name: unknown, uri: string): string {
  return (typeof name === "string" && name !== "" ? name : uri).slice(0, MAX_NAME);
}

function sizeOf(size: unknown): number | undefined {
  return typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/** Reads the `annotations` of a resource (MCP 2025-11-25). They are only hints, so an invalid one is left out. */
function annotationsIn(value: unknown): McpObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { audience, priority, lastModified } = value;
  const readers =
    Array.isArray(audience) && audience.filter((one) => one === "user" || one === "assistant").slice(0, 2);
  const isDate =
    typeof lastModified === "string" && /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,16}(?:Z|[+-]\d\d:?\d\d)?)?$/.test(lastModified);
  const members = {
    ...(readers && { audience: readers }),
    ...(typeof priority === "number" && priority >= 0 && priority <= 1 && { priority }),
    ...(isDate && { lastModified }),
  };
  return Object.keys(members).length > 0 ? members : undefined;
}

function argumentsIn(value: unknown, fault: (why: string) => void): McpObject[] | undefined {
  if (value === undefined) return undefined;
  const all = Array.isArray(value) ? value : [];
  const good = all.slice(0, MAX_ARGUMENTS).flatMap((one) => {
    if (!isJsonObject(one) || typeof one.name !== "string" || one.name === "") return [];
    return {
      name: one.name,
      ...optional("title", textOf(one.title)),
      ...optional("description", textOf(one.description)),
      ...(typeof one.required === "boolean" && { required: one.required }),
    };
  });
  if (!Array.isArray(value) || good.length < value.length)
    fault(`of its arguments, only ${MAX_ARGUMENTS} that have a name are taken`);
  return good;
}
