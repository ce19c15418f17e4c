import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { revisionOf } from "../../base/revision.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { editServers } from "./edit.ts";
import { findServer } from "./find.ts";
import { mayLiftHold, withoutHold } from "./held.ts";
import { mayManage } from "./may-manage.ts";
import { serverRecord } from "./record.ts";

/**
 * Confirms a held server, which was added or changed over MCP. The proxy then connects to it for review; it stays in
 * quarantine. A server that is not held does not change.
 *
 * @param expected the revision that the administrator reviewed; absent: any
 * @throws Fault server_not_found, definition_changed, server_held over MCP, mcp_only_admin, management_disabled,
 *   admin_required
 */
export async function confirmServer(app: App, name: string, by: Actor, expected?: string): Promise<ServerRecord> {
  mayManage(app, by, "change");
  mayLiftHold(by, findServer(app, name, by.caller));
  await editServers(
    app,
    [name],
    (server) => {
      if (expected !== undefined && revisionOf(server) !== expected) throw new Fault("definition_changed", { name });
      return server.held === true ? withoutHold(server) : server;
    },
    by,
  );
  return serverRecord(app, name, by.caller);
}
