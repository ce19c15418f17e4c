import type { App } from "../../app.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolsOverview } from "../../schema/tools-overview.ts";
import { toolCounts } from "../servers/review-counts.ts";
import { callCountsFor } from "./call-counts.ts";
import { toolEntriesOf } from "./entry.ts";
import { selectTools, type ToolListOptions } from "./select-tools.ts";

/**
 * Lists the matching tools of all configured servers, including quarantined and disabled ones (spec 000 §2.5). The
 * result names servers that cannot be read; they cause no error. Tools that were not scanned yet are scanned now,
 * yielding to other work.
 *
 * @throws Fault cancelled if the caller has disconnected
 */
export async function toolsOverview(app: App, caller: Caller, options: ToolListOptions = {}): Promise<ToolsOverview> {
  const servers = app.config.current().mcpServers.filter(({ name }) => inScope(caller.scope, name));
  const all = servers.flatMap(({ name }) => app.catalog.of(name));
  const reader = { caller, callsOf: await callCountsFor(app, caller, options.signal) };
  const { rows, ...page } = await selectTools(app, all, reader, options);
  const tools = await toolEntriesOf(app, rows, reader, options.signal);
  return { tools, ...page, ...(await statsOf(app, servers)) };
}

async function statsOf(
  app: App,
  servers: readonly ServerConfig[],
): Promise<Pick<ToolsOverview, "stats" | "partial" | "failed_servers">> {
  const stats = { total: 0, enabled: 0, disabled: 0, pending_approval: 0 };
  const failed_servers: string[] = [];
  const pause = loopShare();
  for (const server of servers) {
    if (server.enabled && unread(app, server.name)) failed_servers.push(server.name);
    const { total, disabled, pending } = toolCounts(server, app.catalog.of(server.name));
    stats.total += total;
    stats.enabled += total - disabled;
    stats.disabled += disabled;
    stats.pending_approval += pending;
    await pause();
  }
  return { stats, partial: failed_servers.length > 0, failed_servers };
}

/** True if a server failed, could not list its tools or needs a sign-in; false while it is still connecting. */
function unread(app: App, server: string): boolean {
  const status = app.upstreams.get(server)?.status();
  if (!status) return false;
  if (status.state === "Ready") return status.listing?.error !== undefined;
  return status.state === "Error" || status.authRequired === true || status.lastError !== undefined;
}
