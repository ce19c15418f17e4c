import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";

interface VisibleTool {
  readonly _meta?: McpObject;
}

/** Who a tool is for, by its `_meta.ui.visibility` (MCP Apps): models and apps, unless it says otherwise. */
function visibilityOf({ _meta }: VisibleTool): readonly unknown[] | undefined {
  const { visibility } = isJsonObject(_meta?.ui) ? _meta.ui : {};
  return Array.isArray(visibility) ? visibility : undefined;
}

/** Whether a tool is only for its server's app, and no model may see it. */
export function isAppOnly(tool: VisibleTool): boolean {
  return visibilityOf(tool)?.includes("model") === false;
}

/** Whether an app may call a tool. */
export function isForApps(tool: VisibleTool): boolean {
  return visibilityOf(tool)?.includes("app") ?? true;
}
