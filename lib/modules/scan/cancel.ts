import type { App } from "../../core/app.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import { Fault } from "./faults.ts";
import { stateOf } from "./state.ts";

/** Cancels the scan of a server and waits until it has ended. @throws Fault server_not_found, scan_not_running */
export async function cancelScan(app: App, server: string, by: Actor): Promise<void> {
  findServer(app, server, by.caller);
  const entry = stateOf(app).running.get(server);
  if (!entry) throw new Fault("scan_not_running", { what: `of server "${server}"` });
  entry.controller.abort(new Error("cancelled"));
  await entry.done;
}
