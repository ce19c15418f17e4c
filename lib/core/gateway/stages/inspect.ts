import { callInspector, type InspectedArguments } from "../../extension/call-inspector.ts";
import { recordCall } from "../record-call.ts";
import { judgeAgain } from "./judge.ts";
import { refuseCall } from "./refuse.ts";
import type { GatewayCall } from "./stage.ts";

/**
 * Searches the arguments for sensitive data. This may take seconds, so the call is judged again.
 *
 * @throws Fault sensitive_arguments, arguments_unscanned; the errors of `judgeCall`
 */
export function inspectCall(call: GatewayCall): void | Promise<void> {
  const inspection = call.app.part(callInspector)?.arguments(call);
  if (inspection) return settle(call, inspection);
}

async function settle(call: GatewayCall, inspection: Promise<InspectedArguments>): Promise<void> {
  const { findings, fault } = await inspection;
  if (fault) throw refuseCall(call, fault, findings);
  call.findings = { arguments: findings };
  const refusal = await judgeAgain(call);
  if (!refusal) return;
  call.error = refusal;
  await recordCall(call);
  throw refusal;
}
