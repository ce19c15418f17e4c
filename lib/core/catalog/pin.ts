import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";

/** Version of the formula of `pinOf`; raised with any change of it. */
export const PIN_VERSION = 2;

type Part = keyof ToolDefinition;

/** What version 1 covered, in the order it is hashed. */
const FORMER_PARTS: readonly Part[] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
/** What an approval covers, in the order it is hashed: every member of a tool that is listed to clients. */
const PARTS: readonly Part[] = [...FORMER_PARTS, "icons", "_meta"];

/**
 * The pin of a tool definition, `sha256/v{N}:{hex}` (spec 000 §2.6).
 *
 * Each part is hashed as canonical JSON with its length before it, and an absent part differently from an empty one, so
 * that two definitions never give the same text. Key order and white space of JSON do not count; all else does.
 *
 * @throws RangeError when a part is nested deeper than `MAX_TOOL_DEPTH`
 */
export function pinOf(definition: ToolDefinition): string {
  return hashed(definition, PARTS, PIN_VERSION);
}

/**
 * The pin by version 1, which did not cover icons and `_meta`: approvals and lock files of older releases hold it.
 *
 * @throws RangeError when a part is nested deeper than `MAX_TOOL_DEPTH`
 */
export function formerPinOf(definition: ToolDefinition): string {
  return hashed(definition, FORMER_PARTS, 1);
}

/** The members that a pin covers, and so all that may be listed of a tool; of a row, without what we know besides. */
export function pinnedMembers(tool: ToolDefinition): ToolDefinition {
  const members = PARTS.flatMap((part) => (tool[part] === undefined ? [] : [[part, tool[part]]]));
  // Name, description and input schema are never absent.
  return Object.fromEntries(members) as ToolDefinition;
}

/** Whether a pin was made by `pinOf`. */
export function isCurrentPin(pin: string): boolean {
  return pin.startsWith(`sha256/v${PIN_VERSION}:`);
}

/** Whether a pin was made by `formerPinOf`. */
export function isFormerPin(pin: string): boolean {
  return pin.startsWith("sha256/v1:");
}

function hashed(definition: ToolDefinition, parts: readonly Part[], version: number): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const value = definition[part];
    if (value === undefined) {
      hash.update("-;");
      continue;
    }
    const text = canonicalJson(value, MAX_TOOL_DEPTH);
    hash.update(`${Buffer.byteLength(text)}:${text};`);
  }
  return `sha256/v${version}:${hash.digest("hex")}`;
}
