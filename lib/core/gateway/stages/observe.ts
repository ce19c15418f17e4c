import { Fault } from "../../base/fault.ts";
import { traffic } from "../../extension/traffic.ts";
import { type CallToolResult, RpcError } from "../../schema/mcp.ts";
import type { GatewayCall } from "./stage.ts";

/** Reports a call that was sent to its server. It is one of the stages only while something observes the traffic. */
export function observeCall(call: GatewayCall): void {
  const { app, server, tool: item, durationMs, request, reply, error } = call;
  const isToolError = (reply?.result as CallToolResult | null | undefined)?.isError === true;
  if (request.observed) {
    request.observed.upstreamMs = (request.observed.upstreamMs ?? 0) + durationMs;
    request.observed.isToolError = isToolError;
  }
  const method = call.item?.method ?? request.taskRequest?.method ?? "tools/call";
  const errorType = isToolError ? "tool_error" : reply ? undefined : errorTypeOf(error);
  app.part(traffic).called({ method, server, item, durationMs, errorType });
}

/** Returns a code that has few values: never a text of the server. */
function errorTypeOf(error: unknown): string {
  if (error instanceof Fault) return error.code;
  return error instanceof RpcError ? String(error.code) : "_OTHER";
}
