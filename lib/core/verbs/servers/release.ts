import type { App } from "../../app.ts";
import type { Actor } from "../../schema/caller.ts";
import type { Release } from "../../schema/release.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { waitingTools } from "../tools/approve-pending.ts";
import { approveReleased, editServers, type SeenRelease } from "./edit.ts";
import { findServer } from "./find.ts";
import { mayLiftHold, withoutHold } from "./held.ts";
import { mayManage, mayTrust } from "./may-manage.ts";
import { serverRecord } from "./record.ts";

/**
 * Releases a server from quarantine. REST, panel, command line, MCP and the scanner all use this function.
 *
 * It approves only what the person has reviewed: the pending tools, prompts, resources and templates that still have
 * the pins in `pins` and `items` or, without both, everything that is pending at the time of the call. Entries that are
 * listed or changed later wait, and so do those with findings of severity high or critical that are not accepted by
 * name. Resources with a clean scan need no review, unless `resource_approval` is `manual`. Entries that changed after
 * an approval, and blocked ones, stay as they are (spec 000 §3). A server that has never listed anything is released
 * without any approval.
 *
 * If the server is not in quarantine, the entries in `pins` and `items` are approved; without both, nothing changes.
 *
 * @throws Fault server_not_found, mcp_only_admin, management_disabled, admin_required, config_unwritable, disk_failed
 */
export async function releaseServer(
  app: App,
  name: string,
  seen: SeenRelease,
  by: Actor,
): Promise<{ record: ServerRecord; release: Release }> {
  mayTrust(by, "lifting a quarantine");
  mayManage(app, by, "change");
  const server = findServer(app, name, by.caller);
  if (server.held) mayLiftHold(by, server);
  const [edited] = await editServers(
    app,
    [name],
    (server) => ({ ...withoutHold(server), quarantined: false }),
    by,
    seen,
  );
  const release =
    edited?.release ??
    (seen.pins || seen.items
      ? await approveReleased(app, name, seen, by)
      : { approved: [], pending: await waitingTools(app, name) });
  return { record: serverRecord(app, name, by.caller), release };
}
