import type { App } from "../../app.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { editServers } from "./edit.ts";
import { findServer } from "./find.ts";
import { mayManage } from "./may-manage.ts";
import { serverRecord } from "./record.ts";

/** Enables a server and connects to it. @throws Fault server_not_found, management_disabled, admin_required */
export const enableServer = (app: App, name: string, by: Actor) => setEnabled(app, name, true, by);

/** Disables a server and closes its connection. @throws Fault server_not_found, management_disabled, admin_required */
export const disableServer = (app: App, name: string, by: Actor) => setEnabled(app, name, false, by);

async function setEnabled(app: App, name: string, enabled: boolean, by: Actor): Promise<ServerRecord> {
  mayManage(app, by, "change");
  findServer(app, name, by.caller);
  await editServers(app, [name], (server) => ({ ...server, enabled }), by);
  return serverRecord(app, name, by.caller);
}

/**
 * Quarantines a server, which blocks all calls of its tools (spec 000 §3). @throws Fault server_not_found,
 * management_disabled, admin_required
 */
export async function quarantineServer(app: App, name: string, by: Actor): Promise<ServerRecord> {
  mayManage(app, by, "change");
  findServer(app, name, by.caller);
  await editServers(app, [name], (server) => ({ ...server, quarantined: true }), by);
  return serverRecord(app, name, by.caller);
}
