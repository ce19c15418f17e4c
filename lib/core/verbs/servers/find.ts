import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { nearestWords } from "../../base/nearest.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";

/**
 * Finds a configured server in the caller's scope. A server out of scope does not exist for the caller and is never
 * suggested.
 *
 * @throws Fault server_not_found
 */
export function findServer(app: Pick<App, "config">, name: string, caller: Caller): ServerConfig {
  const server = app.config.server(name);
  if (server && inScope(caller.scope, name)) return server;
  const names = app.config
    .current()
    .mcpServers.flatMap((other) => (inScope(caller.scope, other.name) ? [other.name] : []));
  throw new Fault("server_not_found", { server: name, near: nearestWords(name, names, 2) });
}
