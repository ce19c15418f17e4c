import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Actor } from "../shape/caller.ts";
import { find } from "./find.ts";
import { mayManage } from "./may.ts";

/**
 * Removes a server; its connection ends, its tools and their approvals are forgotten.
 *
 * @throws Fault server_not_found, management_disabled, admin_required
 */
export async function remove(app: App, name: string, by: Actor): Promise<void> {
  mayManage(app, by, "remove");
  find(app, name, by.caller);
  await app.config.update((draft) => {
    const at = draft.mcpServers.findIndex((server) => server.name === name);
    if (at < 0) throw new Fault("server_not_found", { server: name });
    draft.mcpServers.splice(at, 1);
  }, by.caller.name);
  record(app, by, { type: "server_change", server_name: name, status: "success", metadata: { action: "remove" } });
}
