import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { callPipeline } from "./pipeline.ts";
import { type CallRequest, type GatewayCall, openCall, type Stage } from "./stages/stage.ts";

export type { CallRequest } from "./stages/stage.ts";

/**
 * Calls an upstream tool. All calls go through this function; `pipeline.ts` lists the stages of a call in order.
 *
 * @returns the upstream's response with its original bytes; a result with `isError` is a response, too
 * @throws Fault tool_not_found, tool_blocked, permission_denied, destructive_mismatch, arguments_mismatch,
 *   server_not_ready, queue_full, queue_timeout, user_connect_needed, call_timeout, cancelled, upstream_failed,
 *   sensitive_arguments, output_blocked, arguments_unscanned, output_unscanned
 * @throws RpcError the upstream's JSON-RPC error with its code and data
 */
export function callUpstreamTool(app: App, by: Actor, request: CallRequest): Promise<Reply<CallToolResult>> {
  return runStages(app.part(callPipeline), openCall(app, by, request));
}

/**
 * Runs the stages one after the other.
 *
 * @throws the error of the stage that rejected the call, or the error with which the call ended
 */
export async function runStages(stages: readonly Stage[], call: GatewayCall): Promise<Reply<CallToolResult>> {
  // An iterator would be kept on the heap during each wait.
  for (let i = 0; i < stages.length; i++) {
    const pending = stages[i]!(call);
    if (pending) await pending;
  }
  if (!call.reply) throw call.error;
  return call.reply;
}
