import type { App } from "../../app.ts";
import { directIdOf } from "../../catalog/direct-names.ts";
import { inScope } from "../../policy/scope.ts";
import { splitToolId } from "../../policy/tool-id.ts";
import type { Caller } from "../../schema/caller.ts";

/** Returns the id of the tool with a direct-mode name; undefined if its server does not exist for this caller. */
export function resolveDirectName(
  app: Pick<App, "catalog" | "config">,
  caller: Caller,
  name: string,
): string | undefined {
  const id = directIdOf(app.catalog, name);
  const server = id === undefined ? undefined : splitToolId(id)?.server;
  return server !== undefined && app.config.server(server) && inScope(caller.scope, server) ? id : undefined;
}
