import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { MAX_TOOL_DEPTH, type ToolDefinition } from "../schema/tool.ts";

/** Version of the formula of `pinOf`; increased with every change of the formula. */
export const PIN_VERSION = 2;

type Part = keyof ToolDefinition;

/** The members that version 1 covered, in the order in which they are hashed. */
const FORMER_PARTS: readonly Part[] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
/** The members that an approval covers, in the order in which they are hashed: all members that clients are shown. */
const PARTS: readonly Part[] = [...FORMER_PARTS, "icons", "_meta"];

/**
 * Returns the pin of a tool definition, `sha256/v{N}:{hex}` (spec 000 §2.6).
 *
 * Each member is hashed as canonical JSON, preceded by its length, and an absent member is distinct from an empty one,
 * so two different definitions never have the same input. The order of keys and the white space in JSON do not matter.
 *
 * @throws RangeError if a member is nested deeper than `MAX_TOOL_DEPTH`
 */
export function pinOf(definition: ToolDefinition): string {
  return hashed(definition, PARTS, PIN_VERSION);
}

/**
 * Returns the pin of version 1, which did not cover icons and `_meta`. Approvals and lock files of older releases
 * contain such pins.
 *
 * @throws RangeError if a member is nested deeper than `MAX_TOOL_DEPTH`
 */
export function formerPinOf(definition: ToolDefinition): string {
  return hashed(definition, FORMER_PARTS, 1);
}

/**
 * Returns the members that a pin covers, without the additional members of a row. Only these may be shown to clients.
 */
export function pinnedMembers(tool: ToolDefinition): ToolDefinition {
  const members = PARTS.flatMap((part) => (tool[part] === undefined ? [] : [[part, tool[part]]]));
  // Name, description and input schema are always present.
  return Object.fromEntries(members) as ToolDefinition;
}

/** True if a pin was made by `pinOf`. */
export function isCurrentPin(pin: string): boolean {
  return pin.startsWith(`sha256/v${PIN_VERSION}:`);
}

/** True if a pin was made by `formerPinOf`. */
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
