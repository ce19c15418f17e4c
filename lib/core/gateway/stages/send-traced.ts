import { readTraceContext } from "../../extension/trace-context.ts";
import { type TraceContext, traffic } from "../../extension/traffic.ts";
import type { McpObject } from "../../schema/mcp.ts";
import { sendCall } from "./send.ts";
import type { GatewayCall } from "./stage.ts";

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
