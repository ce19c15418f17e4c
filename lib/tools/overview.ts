import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
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
 * one server: those that cannot be read are named. Tools that were never scanned are scanned here, a few at a time, so
 * that the event loop stays free.
 *
 * @throws Fault cancelled when whoever asked went away
 */
export async function overview(app: App, caller: Caller, signal?: AbortSignal): Promise<Overview> {
  const servers = app.config.current().mcpServers.filter(({ name }) => inScope(caller.scope, name));
  const entry = entries(app, caller);
  const tools: ToolEntry[] = [];
  const pause = loopShare();
  for (const { name } of servers)
    for (const row of app.catalog.of(name)) {
      tools.push(entry(row));
      const others = pause();
      if (!others) continue;
      await others;
      if (signal?.aborted) throw new Fault("cancelled");
    }
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

/** A server that failed, could not list its tools or wants a sign-in; one that is still connecting has not failed. */
function unread(app: App, server: string): boolean {
  const status = app.upstreams.get(server)?.status();
  if (!status) return false;
  if (status.state === "Ready") return status.listing?.error !== undefined;
  return status.state === "Error" || status.authRequired === true || status.lastError !== undefined;
}
