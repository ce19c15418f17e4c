import type { App } from "../../app.ts";
import { reasonOf } from "../../base/fault.ts";
import type { Actor } from "../../schema/caller.ts";
import { editServers } from "./edit.ts";
import { mayManage } from "./may-manage.ts";
import { reconnectServer } from "./restart.ts";

/** The result for each server of an operation on several servers. */
export interface BulkResult {
  total: number;
  successful: number;
  failed: number;
  /** The reasons of failures, by server name. */
  errors: Record<string, string>;
  servers: { server: string; ok: boolean; message: string }[];
}

/** Enables or disables every server in one write (spec 000 §3). @throws Fault management_disabled, admin_required */
export async function setAllServersEnabled(app: App, enabled: boolean, by: Actor): Promise<BulkResult> {
  mayManage(app, by, "change");
  const names = app.config.current().mcpServers.map((server) => server.name);
  const edited = await editServers(app, names, (server) => ({ ...server, enabled }), by);
  const word = enabled ? "enabled" : "disabled";
  return summed(
    names.map((server) => {
      const changed = edited.some(({ name }) => name === server);
      return { server, ok: true, message: changed ? word : `was already ${word}` };
    }),
  );
}

/**
 * Connects to all enabled servers in parallel; a failure does not delay the others.
 *
 * @param which `all` also replaces working connections; `broken` keeps them
 */
export async function reconnectAllServers(
  app: App,
  which: "all" | "broken",
  by: Actor,
  signal: AbortSignal,
): Promise<BulkResult> {
  const attempts = app.config.current().mcpServers.map(async ({ name: server, enabled, held }) => {
    if (held === true) return { server, ok: true, message: "held until an administrator confirms it; not changed" };
    if (!enabled) return { server, ok: true, message: "disabled; not changed" };
    if (which === "broken" && app.upstreams.get(server)?.status().state === "Ready")
      return { server, ok: true, message: "was connected" };
    try {
      const failure = await reconnectServer(app, server, by, signal);
      return { server, ok: failure === undefined, message: failure?.text ?? "connected" };
    } catch (error) {
      return { server, ok: false, message: reasonOf(error) };
    }
  });
  return summed(await Promise.all(attempts));
}

function summed(servers: BulkResult["servers"]): BulkResult {
  const failed = servers.filter(({ ok }) => !ok);
  return {
    total: servers.length,
    successful: servers.length - failed.length,
    failed: failed.length,
    errors: Object.fromEntries(failed.map(({ server, message }) => [server, message])),
    servers,
  };
}
