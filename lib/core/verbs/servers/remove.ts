import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import { refuseOtherRevision } from "./edit.ts";
import { findServer } from "./find.ts";
import { forgetServer } from "./forget.ts";
import { mayManage, mayTrust } from "./may-manage.ts";

/**
 * Removes a server, closes its connection and removes its tools from the catalog. Approvals, blocks and pins are kept
 * for a later server of this name.
 *
 * @throws Fault server_not_found, changed_meanwhile, management_disabled, admin_required
 */
export async function removeServer(app: App, name: string, by: Actor): Promise<void> {
  mayManage(app, by, "remove");
  findServer(app, name, by.caller);
  await app.config.update((draft) => {
    const at = draft.mcpServers.findIndex((server) => server.name === name);
    if (at < 0) throw new Fault("server_not_found", { server: name });
    refuseOtherRevision(draft.mcpServers[at]!, by);
    draft.mcpServers.splice(at, 1);
  }, by.caller.name);
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: { action: "remove" },
  });
}

/**
 * Removes a server with all of its records, even if its entry was removed before. A later server of this name is
 * treated as new.
 *
 * @throws Fault server_not_found for an unknown name, mcp_only_admin, management_disabled
 */
export async function removeServerAndForget(app: App, name: string, by: Actor): Promise<void> {
  mayTrust(by, "forgetting a server");
  mayManage(app, by, "remove");
  if (app.config.server(name) || !app.store.knownServers.get(name)) await removeServer(app, name, by);
  await forgetServer(app, name);
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: { action: "forget" },
  });
}
