import { userConnections } from "../../extension/user-connections.ts";
import { recordCall } from "../record-call.ts";
import type { GatewayCall } from "./stage.ts";

/**
 * Gets the caller's own connection, where each user signs in to the server. The slots of the shared limits are taken by
 * the connection itself (`upstream/protocol/sender.ts`), because every call of a tool takes one.
 *
 * @throws Fault user_connect_needed, server_not_ready
 */
export function acquireConnection(call: GatewayCall): void | Promise<void> {
  if (call.isOwnConnection) return acquireOwn(call);
}

async function acquireOwn(call: GatewayCall): Promise<void> {
  const { app, by, server, request } = call;
  try {
    call.upstream = await app.part(userConnections).connect(by.caller, server, request.signal);
  } catch (error) {
    call.error = error;
    await recordCall(call);
    throw error;
  }
}
