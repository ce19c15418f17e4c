import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, UI_EXTENSION } from "../schema/mcp.ts";
import type { RequestContext } from "./request-context.ts";

/** What a client's capabilities say of MCP Apps; undefined for one that shows none. */
export function appSettings({ extensions }: McpObject): McpObject | undefined {
  const settings = isJsonObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  return isJsonObject(settings) ? settings : undefined;
}

/** Whether a request comes from a client that shows apps, and so keeps the tools of apps away from its model. */
export function isAppHost({ envelope, session }: Pick<RequestContext, "envelope" | "session">): boolean {
  return envelope ? appSettings(envelope.capabilities) !== undefined : session?.isAppHost === true;
}
