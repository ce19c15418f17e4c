import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import { callPipeline } from "./pipeline.ts";
import { type CallRequest, openCall } from "./stages/stage.ts";

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
  const opened = openCall(app, by, request);
  for (const stage of app.part(callPipeline)) {
    const pending = stage(opened);
    if (pending) await pending;
  }
  if (!opened.reply) throw opened.error;
  return opened.reply;
}
