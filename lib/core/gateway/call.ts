import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { callPipeline } from "./pipeline.ts";
import { type CallRequest, type GatewayCall, openCall, type Stage } from "./stages/stage.ts";

export type { CallRequest } from "./stages/stage.ts";

/**
 * Calls an upstream tool; there is no other way to one. `pipeline.ts` lists the stages of a call in order.
 *
 * @returns the upstream's answer with its own bytes; `isError` results are answers too
 * @throws Fault tool_not_found, tool_blocked, permission_denied, destructive_mismatch, arguments_mismatch, server_not_ready, queue_full,
 *   queue_timeout, user_connect_needed, call_timeout, cancelled, upstream_failed, sensitive_arguments, output_blocked, arguments_unscanned,
 *   output_unscanned
 * @throws RpcError the upstream's own JSON-RPC error, code and data kept
 */
export async function callUpstreamTool(app: App, by: Actor, request: CallRequest): Promise<Reply<CallToolResult>> {
  return runStages(app.part(callPipeline), openCall(app, by, request));
}

/**
 * Runs the stages serially.
 *
 * @throws the error of the stage that refused the call, or the error that the call ended with
 */
export async function runStages(stages: readonly Stage[], call: GatewayCall): Promise<Reply<CallToolResult>> {
  for (const stage of stages) {
    const pending = stage(call);
    if (pending) await pending;
  }
  if (!call.reply) throw call.error;
  return call.reply;
}
