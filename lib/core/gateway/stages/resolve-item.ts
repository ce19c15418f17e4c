import { userConnections } from "../../extension/user-connections.ts";
import { snapshotOf } from "./snapshot-of.ts";
import type { GatewayCall } from "./stage.ts";

/** Collects the facts about the item, from local state only. */
export function resolveItem(call: GatewayCall): void {
  const { app, by, server } = call;
  call.snapshot = snapshotOf(call);
  call.isOwnConnection = app.part(userConnections).connectsAlone(by.caller, server);
  call.upstream = app.upstreams.get(server);
}
