import type { App } from "../app.ts";
import { isAppOnly, isForApps } from "../policy/is-app-only.ts";
import { inScope } from "../policy/scope.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { ToolRow } from "../schema/tool.ts";
import type { McpMode } from "./mount.ts";

/** Which upstream tools are listed by name in a mode: all in direct mode, otherwise those of the setting `expose`. */
export interface ExposedTools {
  readonly isEmpty: boolean;
  has(row: Pick<ToolRow, "id" | "server" | "_meta">): boolean;
}

/**
 * Returns which tools are listed by name. They include the app-only tools of a server with an exposed tool, because the
 * server's app cannot work without them.
 */
export function exposedTools(app: Pick<App, "config">, mode: McpMode): ExposedTools {
  if (mode === "direct") return ALL;
  const { expose } = app.config.current();
  if (expose.length === 0) return NONE;
  const ids = new Set(expose);
  const servers = new Set(expose.map((id) => splitToolId(id)?.server));
  return { isEmpty: false, has: (row) => ids.has(row.id) || (isAppOnly(row) && servers.has(row.server)) };
}

/**
 * Returns the id of the tool that an app calls by the name that its server uses, because an app knows no other name.
 * Undefined if several servers have such a tool.
 */
export function resolveAppTool(
  app: Pick<App, "catalog" | "config">,
  caller: Caller,
  { name, exposed }: { name: string; exposed: ExposedTools },
): string | undefined {
  const matches = app.config.current().mcpServers.flatMap((server) => {
    const row = inScope(caller.scope, server.name) ? app.catalog.get(`${server.name}:${name}`) : undefined;
    return row?.present && isForApps(row) && (exposed.has(row) || hasExposedSibling(app, row, exposed)) ? [row.id] : [];
  });
  return matches.length === 1 ? matches[0] : undefined;
}

/** An app may also call the tools of its server that models see, if one of them is exposed. */
function hasExposedSibling(app: Pick<App, "catalog">, { server }: ToolRow, exposed: ExposedTools): boolean {
  return app.catalog.of(server).some((row) => exposed.has(row));
}

const ALL: ExposedTools = { isEmpty: false, has: () => true };
const NONE: ExposedTools = { isEmpty: true, has: () => false };
