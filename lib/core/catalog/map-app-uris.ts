import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";

/** The name of the member in versions of MCP Apps before 2026-01-26. */
const FLAT = "ui/resourceUri";

/**
 * Returns a tool's `_meta` with the URI of its app replaced by the result of `map`. (MCP Apps, `_meta.ui.resourceUri`)
 */
export function mapAppUris(meta: McpObject, map: (uri: string) => string): McpObject {
  const { ui } = meta;
  const mapped = (uri: unknown) => (typeof uri === "string" ? map(uri) : uri);
  return {
    ...meta,
    ...(isJsonObject(ui) && ui.resourceUri !== undefined && { ui: { ...ui, resourceUri: mapped(ui.resourceUri) } }),
    ...(meta[FLAT] !== undefined && { [FLAT]: mapped(meta[FLAT]) }),
  };
}
