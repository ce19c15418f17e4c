import { isObject } from "../base/merge.ts";
import type { JsonObject } from "../shape/mcp.ts";

type Sound = (value: unknown) => boolean;

const isText: Sound = (value) => typeof value === "string";
const isHint: Sound = (value) => value === undefined || typeof value === "boolean";

/** Members that clients check when they read a list; one that is not sound would cost them every tool in it. */
const MEMBERS: Record<string, Sound> = {
  title: isText,
  description: isText,
  outputSchema: (value) => isObject(value) && value.type === "object",
  annotations: (value) =>
    isObject(value) &&
    (value.title === undefined || isText(value.title)) &&
    [value.readOnlyHint, value.destructiveHint, value.idempotentHint, value.openWorldHint].every(isHint),
  icons: (value) => Array.isArray(value) && value.every((icon) => isObject(icon) && isText(icon.src)),
  _meta: isObject,
  // Tasks are not relayed, so nobody may be told to use them.
  execution: () => false,
};

/**
 * An upstream's tool as it may stand in a list: everything kept that the protocol allows, unknown members too. A
 * member of the wrong type is left out, since strict clients refuse the whole list for it.
 */
export function soundTool(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([name, value]) => MEMBERS[name]?.(value) ?? true);
  const { inputSchema, ...tool } = Object.fromEntries(kept);
  const schema = isObject(inputSchema) ? inputSchema : {};
  return { ...tool, inputSchema: schema.type === "object" ? schema : { ...schema, type: "object" } };
}
