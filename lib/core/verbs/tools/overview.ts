import type { App } from "../../app.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolsOverview } from "../../schema/tools-overview.ts";
import { toolEntriesOf } from "./entry.ts";
import { isToolEnabled, selectTools, type ToolListOptions } from "./select-tools.ts";

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
  const { rows, ...page } = await selectTools(app, all, caller, options);
  const tools = await toolEntriesOf(app, rows, caller, options.signal);
  const failed_servers = servers.filter(({ name, enabled }) => enabled && unread(app, name)).map(({ name }) => name);
  return { tools, ...page, stats: statsOf(app, all), partial: failed_servers.length > 0, failed_servers };
}

function statsOf(app: App, all: readonly ToolRow[]): ToolsOverview["stats"] {
  const enabled = all.filter((row) => isToolEnabled(app, row)).length;
  return {
    total: all.length,
    enabled,
    disabled: all.length - enabled,
    pending_approval: all.filter(({ status }) => status !== "approved").length,
  };
}

/** True if a server failed, could not list its tools or needs a sign-in; false while it is still connecting. */
function unread(app: App, server: string): boolean {
  const status = app.upstreams.get(server)?.status();
  if (!status) return false;
  if (status.state === "Ready") return status.listing?.error !== undefined;
  return status.state === "Error" || status.authRequired === true || status.lastError !== undefined;
}
