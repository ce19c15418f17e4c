import { callInspector, type InspectedReply } from "../../extension/call-inspector.ts";
import type { GatewayCall } from "./stage.ts";

/** Makes of the upstream's answer what the caller may see: the same, a treated one, or an error. */
export function treatReply(call: GatewayCall): void | Promise<void> {
  const inspector = call.app.part(callInspector);
  if (!inspector) return;
  if (!call.reply) return treatError(call, inspector.error(call, call.error));
  const inspected = inspector.reply(call, call.reply);
  if (inspected instanceof Promise) return inspected.then((done) => applyInspection(call, done));
  applyInspection(call, inspected);
}

async function treatError(call: GatewayCall, error: unknown): Promise<void> {
  call.error = await error;
}

function applyInspection(call: GatewayCall, { reply, findings, fault }: InspectedReply): void {
  if (findings) call.findings = call.findings ? { ...call.findings, ...findings } : findings;
  // An answer that is withheld is not recorded either.
  call.reply = fault ? undefined : reply;
  call.error = fault;
}
