import { Fault } from "../../base/fault.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { Actor } from "../../schema/caller.ts";
import { mayTrust } from "./may-manage.ts";

/**
 * Whether a definition that an MCP client adds or edits is held: neither started nor contacted until an administrator
 * has confirmed it. This applies to every MCP client, an administrator's included, because a model decides what an MCP
 * client sends.
 */
export const isOverMcp = ({ origin }: Actor): boolean => origin.source === "mcp";

/** Returns the definition without the mark of a held server. */
export function withoutHold(server: ServerConfig): ServerConfig {
  const { held: _, ...free } = server;
  return free;
}

/**
 * Allows lifting a hold: administrators only, and not over MCP.
 *
 * @throws Fault mcp_only_admin for callers that are not administrators, server_held over MCP
 */
export function mayLiftHold(by: Actor, server: ServerConfig): void {
  mayTrust(by, "confirming a held server");
  if (isOverMcp(by)) throw new Fault("server_held", { server: server.name });
}

/**
 * Rejects operations that need a connection to a held server.
 *
 * @throws Fault server_held
 */
export function refuseHeld({ name, held }: ServerConfig): void {
  if (held === true) throw new Fault("server_held", { server: name });
}
