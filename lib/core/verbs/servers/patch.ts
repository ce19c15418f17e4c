import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { sameJson } from "../../base/json-object.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { ServerPatch } from "../../config/server-patch.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { editServers } from "./edit.ts";
import { findServer } from "./find.ts";
import { isOverMcp, withoutHold } from "./held.ts";
import { mayManage, mayTrust } from "./may-manage.ts";
import { changesLaunch, mergeServer } from "./merge.ts";
import { serverRecord } from "./record.ts";

/** Fields that extend the trust in a server. Only administrators may change them. */
const TRUST = [
  "trust_mode",
  "auto_approve_tool_changes",
  "enabled_tools",
  "disabled_tools",
  "validate_arguments",
  "allow_elicitation",
  "allow_sampling",
  "allow_roots",
] as const;

/**
 * Changes a server's definition (spec 000 §4.2; 001 §4.1). If a change over MCP concerns what the server runs or
 * contacts, or its credentials, the server is quarantined and held, whoever the caller is: the change may be the result
 * of a prompt injection.
 *
 * @returns the record after the change
 * @throws Fault server_not_found, server_held, changed_meanwhile, echoed_mask, invalid_request, mcp_only_admin,
 *   management_disabled, admin_required
 */
export async function patchServer(app: App, name: string, changes: ServerPatch, by: Actor): Promise<ServerRecord> {
  mayManage(app, by, "change");
  findServer(app, name, by.caller);
  const change = (stored: ServerConfig): ServerConfig => {
    const next = mergeServer(stored, changes);
    if (app.config.quarantined(stored) && !app.config.quarantined(next)) mayTrust(by, "lifting a quarantine");
    for (const field of TRUST) if (!sameJson(stored[field], next[field])) mayTrust(by, `changing ${field}`);
    if (isOverMcp(by)) {
      if (stored.held === true && changes.quarantined === false) throw new Fault("server_held", { server: name });
      return changesLaunch(stored, next) ? { ...next, quarantined: true, held: true } : next;
    }
    return app.config.quarantined(next) ? next : withoutHold(next);
  };
  await editServers(app, [name], change, by);
  return serverRecord(app, name, by.caller);
}
