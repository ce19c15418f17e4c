import { Fault } from "../../base/fault.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { Actor } from "../../schema/caller.ts";
import { mayTrust } from "./may-manage.ts";

/**
 * True for an action of an MCP client. A definition that such an action adds or changes is held: the proxy neither
 * starts nor contacts the server until an administrator has confirmed it. This also applies to an administrator's
 * client, because a model decides what it sends.
 */
export const isOverMcp = ({ origin }: Actor): boolean => origin.source === "mcp";

/** Returns the definition without the mark of a held server. */
export function withoutHold(server: ServerConfig): ServerConfig {
  const { held: _, ...free } = server;
  return free;
}

/**
 * Throws unless the caller may end a hold: only administrators may, and not over MCP.
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
