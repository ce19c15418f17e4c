import { callInspector, type InspectedReply } from "../../extension/call-inspector.ts";
import type { GatewayCall } from "./stage.ts";

/** Passes on, redacts or withholds the upstream's response. */
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
  // A withheld response is not recorded.
  call.reply = fault ? undefined : reply;
  call.error = fault;
  if (fault && call.asked) for (const end of call.asked.values()) end(WITHHELD);
}

const WITHHELD = { status: "blocked", reason: "the question holds sensitive data" } as const;
