import { Fault } from "../../base/fault.ts";
import { checkVariant } from "../../policy/intent.ts";
import { checkArguments } from "../check-arguments.ts";
import { refuseCall } from "./refuse.ts";
import type { GatewayCall } from "./stage.ts";

/**
 * Compares the variant and the arguments of the call with the tool. @throws Fault destructive_mismatch,
 * arguments_mismatch
 */
export function permitCall(call: GatewayCall): void {
  permitVariant(call);
  permitArguments(call);
}

/** Rejects a call variant that declares a less dangerous operation than the server declares for the tool. */
function permitVariant(call: GatewayCall): void {
  const { app, request, snapshot } = call;
  const { id, variant } = request;
  if (!variant) return;
  const strict = app.config.current().intent_declaration.strict_server_validation;
  try {
    checkVariant(id, variant, snapshot.tool?.annotations, strict);
  } catch (error) {
    throw error instanceof Fault ? refuseCall(call, error) : error;
  }
}

/** Rejects arguments that do not match the tool's schema, if the schema is binding. */
function permitArguments(call: GatewayCall): void {
  const { app, request, snapshot } = call;
  const server = app.config.server(call.server);
  const { tool } = snapshot;
  if (!tool || "kind" in tool || !server) return;
  const checked = checkArguments(app, server, tool, request.args);
  if (checked?.fault) throw refuseCall(call, checked.fault);
  call.note = checked?.note;
}
