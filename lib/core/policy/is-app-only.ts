import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";

interface VisibleTool {
  readonly _meta?: McpObject;
}

/** Returns for whom a tool is, from its `_meta.ui.visibility` (MCP Apps). Undefined means: for models and apps. */
function visibilityOf({ _meta }: VisibleTool): readonly unknown[] | undefined {
  const { visibility } = isJsonObject(_meta?.ui) ? _meta.ui : {};
  return Array.isArray(visibility) ? visibility : undefined;
}

/** True if only the app of its server may use the tool, and no model may see it. */
export function isAppOnly(tool: VisibleTool): boolean {
  return visibilityOf(tool)?.includes("model") === false;
}

/** True if an app may call the tool. */
export function isForApps(tool: VisibleTool): boolean {
  return visibilityOf(tool)?.includes("app") ?? true;
}
