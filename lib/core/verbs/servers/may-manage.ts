import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Actor, Caller } from "../../schema/caller.ts";

/**
 * Throws unless a caller may restart and refresh servers. Administrators may and, for compatibility, anonymous MCP
 * clients on this machine (spec 000 §2.9 rule 5, §5 rule 4).
 *
 * @throws Fault admin_required
 */
export function mayOperate({ caller, origin }: Actor): void {
  if (caller.tier === "admin") return;
  if (caller.tier === "anonymous" && origin.source === "mcp" && seesManagement(caller)) return;
  throw new Fault("admin_required");
}

/**
 * True if a caller may use management over MCP at all, including the list. Remote clients without a credential may not.
 */
export const seesManagement = ({ remote }: Caller): boolean => remote !== true;

/**
 * Throws unless a caller may change servers and the configuration permits changes (spec 001 §4.1).
 *
 * @throws Fault admin_required, management_disabled
 */
export function mayManage(app: Pick<App, "config">, by: Actor, what: "add" | "remove" | "change"): void {
  mayOperate(by);
  const config = app.config.current();
  if (config.read_only_mode) throw new Fault("management_disabled", { key: "read_only_mode" });
  if (by.origin.source !== "mcp") return;
  if (config.disable_management) throw new Fault("management_disabled", { key: "disable_management" });
  if (what === "add" && !config.allow_server_add) throw new Fault("management_disabled", { key: "allow_server_add" });
  if (what === "remove" && !config.allow_server_remove)
    throw new Fault("management_disabled", { key: "allow_server_remove" });
}

/**
 * Throws unless the caller is an administrator: only a person may extend the trust in a server. @throws Fault
 * mcp_only_admin
 */
export function mayTrust({ caller }: Actor, what: string): void {
  if (caller.tier !== "admin") throw new Fault("mcp_only_admin", { what });
}
