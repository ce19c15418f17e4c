import type { App } from "../app.ts";
import { takesTasks } from "../catalog/takes-tasks.ts";
import { inScope } from "../policy/scope.ts";
import type { Caller } from "../schema/caller.ts";
import { TASKS_EXTENSION } from "../schema/mcp.ts";

/**
 * True if a server that the caller may use supports tasks of a protocol family. For a server that is not connected, its
 * stored tools are used.
 */
export function offersTasks(app: App, caller: Caller, family: "2025" | "2026"): boolean {
  return app.config.current().mcpServers.some((server) => {
    if (!inScope(caller.scope, server.name) || app.config.quarantined(server)) return false;
    const { capabilities } = app.upstreams.get(server.name) ?? {};
    if (family === "2026") return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
    return capabilities ? capabilities.tasks !== undefined : app.catalog.of(server.name).some(takesTasks);
  });
}
