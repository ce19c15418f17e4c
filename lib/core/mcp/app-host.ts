import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, UI_EXTENSION } from "../schema/mcp.ts";
import type { RequestContext } from "./request-context.ts";

/** Returns a client's settings for MCP Apps from its capabilities; undefined if it does not show apps. */
export function appSettings({ extensions }: McpObject): McpObject | undefined {
  const settings = isJsonObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  return isJsonObject(settings) ? settings : undefined;
}

/** True if the client shows apps. Such a client hides tools that only apps may call from its model. */
export function isAppHost({ envelope, session }: Pick<RequestContext, "envelope" | "session">): boolean {
  return envelope ? appSettings(envelope.capabilities) !== undefined : session?.isAppHost === true;
}
