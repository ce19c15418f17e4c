import type { App } from "../../app.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolRow } from "../../schema/tool.ts";
import type { ToolsOverview } from "../../schema/tools-overview.ts";
import { toolEntriesOf } from "./entry.ts";
import { isToolEnabled, selectTools, type ToolListOptions } from "./select-tools.ts";

/**
 * The wanted tools of every configured server, quarantined and disabled ones included (spec 000 §2.5). Never fails over
 * one server: those that cannot be read are named. Tools that were never scanned are scanned here, a few at a time, so
 * that the event loop stays free.
 *
 * @throws Fault cancelled when whoever asked went away
 */
export async function toolsOverview(app: App, caller: Caller, wanted: ToolListOptions = {}): Promise<ToolsOverview> {
  const servers = app.config.current().mcpServers.filter(({ name }) => inScope(caller.scope, name));
  const all = servers.flatMap(({ name }) => app.catalog.of(name));
  const { rows, ...page } = await selectTools(app, all, caller, wanted);
  const tools = await toolEntriesOf(app, rows, caller, wanted.signal);
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

/** True for a server that failed, could not list its tools or needs a sign-in; false while it is still connecting. */
function unread(app: App, server: string): boolean {
  const status = app.upstreams.get(server)?.status();
  if (!status) return false;
  if (status.state === "Ready") return status.listing?.error !== undefined;
  return status.state === "Error" || status.authRequired === true || status.lastError !== undefined;
}
