import { errorTypeOf } from "../../extension/error-type-of.ts";
import { readTraceContext } from "../../extension/trace-context.ts";
import { type TraceContext, traffic } from "../../extension/traffic.ts";
import type { CallToolResult, McpObject } from "../../schema/mcp.ts";
import { sendCall } from "./send.ts";
import type { GatewayCall } from "./stage.ts";

/** Reports a call that was sent to its server. It is one of the stages only while something observes the traffic. */
export function observeCall(call: GatewayCall): void {
  const { durationMs, reply, span } = call;
  const { observed } = call.request;
  const isToolError = (reply?.result as CallToolResult | null | undefined)?.isError === true;
  if (observed) {
    observed.upstreamMs = (observed.upstreamMs ?? 0) + durationMs;
    observed.isToolError = isToolError;
  }
  call.errorType = isToolError ? "tool_error" : reply ? undefined : errorTypeOf(call.error);
  call.app.part(traffic).called(call);
  span?.end(call.errorType);
}

/** Sends a call as `sendCall` does, within a span of its own if traces are made. */
export function sendObserved(call: GatewayCall): Promise<void> {
  const { app, request } = call;
  const { tracer } = app.part(traffic);
  if (tracer) {
    const parent = request.observed?.span;
    call.span = parent ? parent.beginCall(call) : tracer.beginCall(call, readTraceContext(request.meta));
    const context = (call.span ?? parent)!.context();
    call.tracedMeta = request.meta ? withTraceContext(request.meta, context) : context;
  }
  return sendCall(call);
}

function withTraceContext(meta: McpObject, context: TraceContext): McpObject {
  const { traceparent: _parent, tracestate: _state, baggage: _baggage, ...rest } = meta;
  return { ...rest, ...context };
}
