import { callInspector, type InspectedArguments } from "../../extension/call-inspector.ts";
import { refuseCall } from "./refuse.ts";
import type { GatewayCall } from "./stage.ts";

/** Searches the arguments for sensitive data. @throws Fault sensitive_arguments, arguments_unscanned */
export function inspectCall(call: GatewayCall): void | Promise<void> {
  const inspection = call.app.part(callInspector)?.arguments(call);
  if (inspection) return settle(call, inspection);
}

async function settle(call: GatewayCall, inspection: Promise<InspectedArguments>): Promise<void> {
  const { findings, fault } = await inspection;
  if (fault) throw refuseCall(call, fault, findings);
  call.findings = { arguments: findings };
}
