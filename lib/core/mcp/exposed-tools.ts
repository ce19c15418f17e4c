import type { App } from "../app.ts";
import { isAppOnly, isForApps } from "../policy/is-app-only.ts";
import { inScope } from "../policy/scope.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { ToolRow } from "../schema/tool.ts";
import type { McpMode } from "./mount.ts";

/** Which upstream tools have names of their own in a mode: all in direct mode, else those of the setting `expose`. */
export interface ExposedTools {
  readonly isEmpty: boolean;
  has(row: Pick<ToolRow, "id" | "server" | "_meta">): boolean;
}

/** The tools of an app belong to what is exposed of its server, since the app cannot work without them. */
export function exposedTools(app: Pick<App, "config">, mode: McpMode): ExposedTools {
  if (mode === "direct") return ALL;
  const { expose } = app.config.current();
  if (expose.length === 0) return NONE;
  const ids = new Set(expose);
  const servers = new Set(expose.map((id) => splitToolId(id)?.server));
  return { isEmpty: false, has: (row) => ids.has(row.id) || (isAppOnly(row) && servers.has(row.server)) };
}

/**
 * The tool that an app means by its server's own name for it: an app knows no other. Undefined where several servers have
 * such a tool for apps.
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

/** An app may also call those tools of its server that models see. */
function hasExposedSibling(app: Pick<App, "catalog">, { server }: ToolRow, exposed: ExposedTools): boolean {
  return app.catalog.of(server).some((row) => exposed.has(row));
}

const ALL: ExposedTools = { isEmpty: false, has: () => true };
const NONE: ExposedTools = { isEmpty: true, has: () => false };
