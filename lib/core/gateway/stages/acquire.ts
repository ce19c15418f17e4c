import { userConnections } from "../../extension/user-connections.ts";
import { recordCall } from "../record-call.ts";
import { judgeAgain } from "./judge.ts";
import type { GatewayCall } from "./stage.ts";

/**
 * Opens the caller's own connection, if each user signs in to the server separately. Slots of the concurrency limits
 * are taken by the connection itself (`upstream/protocol/start-request.ts`), because every call of a tool needs one.
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
    const refusal = await judgeAgain(call);
    if (refusal) throw refusal;
  } catch (error) {
    call.error = error;
    await recordCall(call);
    throw error;
  }
}
