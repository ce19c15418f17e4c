import type { App } from "../app.ts";
import { inScope } from "../gate/scope.ts";
import type { Caller } from "../shape/caller.ts";
import type { ToolEntry } from "../shape/tool-entry.ts";
import { entries } from "./entry.ts";

export interface Overview {
  tools: ToolEntry[];
  stats: { total: number; enabled: number; disabled: number; pending_approval: number };
  /** True when some server could not be read; its remembered tools are listed all the same. */
  partial: boolean;
  failed_servers: string[];
}

/**
 * Every known tool of every configured server, quarantined and disabled ones included (spec 000 §2.5). Never fails over
 * one server: those that cannot be read are named.
 */
export function overview(app: App, caller: Caller): Overview {
  const servers = app.config.current().mcpServers.filter(({ name }) => inScope(caller.scope, name));
  const entry = entries(app, caller);
  const tools = servers.flatMap(({ name }) => app.catalog.of(name).map(entry));
  const failed_servers = servers.filter(({ name, enabled }) => enabled && unread(app, name)).map(({ name }) => name);
  const disabled = tools.filter((tool) => tool.disabled || tool.config_denied).length;
  return {
    tools,
    stats: {
      total: tools.length,
      enabled: tools.length - disabled,
      disabled,
      pending_approval: tools.filter((tool) => tool.approval_status !== "approved").length,
    },
    partial: failed_servers.length > 0,
    failed_servers,
  };
}

/** A server that failed or wants a sign-in; one that is still connecting has not failed. */
function unread(app: App, server: string): boolean {
  const status = app.upstreams.get(server)?.status();
  if (!status || status.state === "Ready") return false;
  return status.state === "Error" || status.authRequired === true || status.lastError !== undefined;
}
