import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import type { ToolDefinition } from "../shape/tool.ts";

/** Version of the formula below; raise it with any change, and old pins are made again where the content is the same. */
export const PIN_VERSION = 1;

/** What an approval covers, in the order it is hashed: everything of a tool that a model or a policy reads. */
const PARTS = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/**
 * The pin of a tool definition, `sha256/v{N}:{hex}` (spec 000 §2.6).
 *
 * Each part is hashed as canonical JSON with its length before it, and an absent part differently from an empty one, so
 * no two definitions meet in one text. Key order and white space of schemas do not count; all else does.
 *
 * @throws RangeError when a schema is nested too deep
 */
export function pinOf(definition: ToolDefinition): string {
  const hash = createHash("sha256");
  for (const part of PARTS) {
    const value = definition[part];
    if (value === undefined) {
      hash.update("-;");
      continue;
    }
    const text = canonicalJson(value);
    hash.update(`${Buffer.byteLength(text)}:${text};`);
  }
  return `sha256/v${PIN_VERSION}:${hash.digest("hex")}`;
}

/** Whether a pin was made with the formula in force. */
export function isCurrentPin(pin: string): boolean {
  return pin.startsWith(`sha256/v${PIN_VERSION}:`);
}
