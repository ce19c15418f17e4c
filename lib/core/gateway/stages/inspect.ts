import { callInspector, type InspectedArguments } from "../../extension/call-inspector.ts";
import { refuse } from "./refuse.ts";
import type { Call } from "./stage.ts";

/** Looks for sensitive data in the arguments. @throws Fault sensitive_arguments, arguments_unscanned */
export function inspect(call: Call): void | Promise<void> {
  const inspection = call.app.part(callInspector)?.arguments(call);
  if (inspection) return settle(call, inspection);
}

async function settle(call: Call, inspection: Promise<InspectedArguments>): Promise<void> {
  const { found, fault } = await inspection;
  if (fault) throw refuse(call, fault, found);
  call.findings = { arguments: found };
}
