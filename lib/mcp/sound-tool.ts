import { isObject } from "../base/merge.ts";
import type { JsonObject } from "../shape/mcp.ts";

type Sound = (value: unknown) => boolean;

/** Members that clients check when they read a list, beside those the catalog has put right already. */
const MEMBERS: Record<string, Sound> = {
  icons: (value) => Array.isArray(value) && value.every((icon) => isObject(icon) && typeof icon.src === "string"),
  _meta: isObject,
  // Tasks are not relayed, so nobody may be told to use them.
  execution: () => false,
};

/**
 * A known tool as it may stand in a list: everything kept that the protocol allows, unknown members too. A member of
 * the wrong type is left out, since strict clients refuse the whole list for it.
 *
 * @param raw as the catalog keeps it
 */
export function soundTool(raw: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => !Object.hasOwn(MEMBERS, name) || MEMBERS[name]?.(value)),
  );
}
