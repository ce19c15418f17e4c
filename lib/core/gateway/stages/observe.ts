import { errorTypeOf } from "../../extension/error-type-of.ts";
import { readTraceContext } from "../../extension/trace-context.ts";
import { type TraceContext, type Traffic, traffic } from "../../extension/traffic.ts";
import type { CallToolResult, McpObject } from "../../schema/mcp.ts";
import { sendCall } from "./send.ts";
import type { GatewayCall, Stage } from "./stage.ts";

/** Returns the stage that reports a call that was sent to its server. It is used only while something observes the traffic. */
export function callReporter(observers: Traffic): Stage {
  return function observeCall(call) {
    const { durationMs, reply, span } = call;
    const { observed } = call.request;
    const isToolError = (reply?.result as CallToolResult | null | undefined)?.isError === true;
    if (observed) {
      observed.upstreamMs = (observed.upstreamMs ?? 0) + durationMs;
      observed.isToolError = isToolError;
    }
    call.errorType = isToolError ? "tool_error" : reply ? undefined : errorTypeOf(call.error);
    observers.called(call);
    span?.end(call.errorType);
  };
}

/** Sends a call as `sendCall` does, within a span of its own. It is used instead of `sendCall` only while traces are made. */
export function sendTraced(call: GatewayCall): Promise<void> {
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
