import { errorTypeOf } from "../../extension/error-type-of.ts";
import { readTraceContext } from "../../extension/trace-context.ts";
import { type TraceContext, traffic } from "../../extension/traffic.ts";
import type { CallToolResult, McpObject } from "../../schema/mcp.ts";
import { sendCall } from "./send.ts";
import type { GatewayCall } from "./stage.ts";

/** Reports a call that was sent to its server. It is one of the stages only while something observes the traffic. */
export function observeCall(call: GatewayCall): void {
  const { app, server, tool: item, durationMs, request, reply, error, span } = call;
  const isToolError = (reply?.result as CallToolResult | null | undefined)?.isError === true;
  if (request.observed) {
    request.observed.upstreamMs = (request.observed.upstreamMs ?? 0) + durationMs;
    request.observed.isToolError = isToolError;
  }
  const errorType = isToolError ? "tool_error" : reply ? undefined : errorTypeOf(error);
  const observers = app.part(traffic);
  if (observers.isMeasured) observers.called({ method: methodOf(call), server, item, durationMs, errorType });
  span?.end(errorType);
}

/** Sends a call as `sendCall` does, within a span of its own if traces are made. */
export function sendObserved(call: GatewayCall): Promise<void> {
  const { app, server, tool: item, request } = call;
  const { tracer } = app.part(traffic);
  if (tracer) {
    const begun = { method: methodOf(call), server, item };
    const parent = request.observed?.span;
    const span = parent ? parent.beginCall(begun) : tracer.beginCall(begun, readTraceContext(request.meta));
    const context = (span ?? parent)!.context();
    request.meta = request.meta ? withTraceContext(request.meta, context) : context;
    call.span = span;
  }
  return sendCall(call);
}

function withTraceContext(meta: McpObject, context: TraceContext): McpObject {
  const { traceparent: _parent, tracestate: _state, baggage: _baggage, ...rest } = meta;
  return { ...rest, ...context };
}

function methodOf({ item, request }: GatewayCall): string {
  return item?.method ?? request.taskRequest?.method ?? "tools/call";
}
