import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { BegunCall, TraceContext, Tracer, TraceSpan } from "../../core/extension/traffic.ts";
import { methodLabel, transportLabel } from "../metrics/label-values.ts";

/** Maximum length of a name that a client or a server chose (characters). */
const MAX_NAME = 200;

const propagator = new W3CTraceContextPropagator();

/**
 * Makes spans as OpenTelemetry's conventions for MCP name them: one of kind SERVER for each request of a client, and
 * one of kind CLIENT for each call to a server. Requests of the REST API follow the conventions for HTTP.
 */
export function createTracer(otel: OtelTracer): Tracer {
  /** Traces of the requests in progress, for the log. */
  const traceIds = new Map<string, string>();
  const open = ({ name, kind, parent, baggage, attributes }: OpenedSpan): TraceSpan & { traceId: string } => {
    const span = otel.startSpan(name, { kind }, parent);
    const { traceId } = span.spanContext();
    const context = trace.setSpan(parent, span);
    // A trace that is not recorded is only passed on, and its calls need no spans of their own. Most traces are so.
    if (!span.isRecording()) {
      const unrecorded = { traceId, beginCall: () => unrecorded, context: () => toSend(context, baggage), end() {} };
      return unrecorded;
    }
    span.setAttributes(attributes());
    return {
      traceId,
      beginCall: (call) => openCall(call, context, baggage),
      context: () => toSend(context, baggage),
      end: (errorType) => endSpan(span, errorType),
    };
  };
  const openCall = ({ method, server, item }: BegunCall, parent: Context, baggage: string | undefined) =>
    open({
      name: spanName(method, item),
      kind: SpanKind.CLIENT,
      parent,
      baggage,
      attributes: () => ({ "mcp.method.name": method, "mcp.proxy.server": server, ...itemAttributes(method, item) }),
    });
  const openRequest = (
    requestId: string,
    name: string,
    from: TraceContext,
    attributes: () => Attributes,
  ): TraceSpan => {
    const all = () => ({ ...attributes(), "mcp.proxy.request_id": requestId });
    const parent = contextFrom(from);
    const opened = open({ name, kind: SpanKind.SERVER, parent, baggage: from.baggage, attributes: all });
    traceIds.set(requestId, opened.traceId);
    return {
      ...opened,
      end(errorType) {
        traceIds.delete(requestId);
        opened.end(errorType);
      },
    };
  };
  return {
    begin({ method: sentMethod, item, protocolVersion, listener, requestId, from }) {
      const method = methodLabel(sentMethod);
      return openRequest(requestId, spanName(method, item), from, () => ({
        "mcp.method.name": method,
        ...(protocolVersion !== "" && { "mcp.protocol.version": protocolVersion }),
        ...(transportLabel(listener) !== "" && { "network.transport": transportLabel(listener) }),
        ...(item !== undefined && itemAttributes(method, item)),
      }));
    },
    beginHttp({ route, requestId, from }) {
      const [method = "", path = ""] = route.split(" ");
      return openRequest(requestId, route, from, () => ({ "http.request.method": method, "http.route": path }));
    },
    beginCall: (call, from) => openCall(call, contextFrom(from), from.baggage),
    traceIdOf: (requestId) => traceIds.get(requestId),
  };
}

interface OpenedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: Context;
  readonly baggage: string | undefined;
  /** Makes the attributes, if the span is recorded. */
  readonly attributes: () => Attributes;
}

/** Returns what the next program needs to continue the trace. */
function toSend(context: Context, baggage: string | undefined): TraceContext {
  const next: TraceContext = {};
  propagator.inject(context, next, defaultTextMapSetter);
  if (baggage !== undefined) next.baggage = baggage;
  return next;
}

/** Returns the context of the client's span; an empty one if it sent none or an invalid one. */
function contextFrom(from: TraceContext): Context {
  return propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter);
}

/** Methods whose item is a name. The URI of a resource and what is completed are arguments, so no span has them. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
};

function itemAttributes(method: string, item: string): Attributes {
  const attribute = ATTRIBUTES[method];
  if (attribute === undefined) return {};
  const attributes: Attributes = { [attribute]: item.slice(0, MAX_NAME) };
  if (method === "tools/call") attributes["gen_ai.operation.name"] = "execute_tool";
  return attributes;
}

function spanName(method: string, item: string | undefined): string {
  return item === undefined || ATTRIBUTES[method] === undefined ? method : `${method} ${item.slice(0, MAX_NAME)}`;
}

function endSpan(span: Span, errorType: string | undefined): void {
  if (errorType !== undefined && span.isRecording()) {
    span.setAttribute("error.type", errorType);
    if (/^-?\d+$/.test(errorType)) span.setAttribute("rpc.response.status_code", errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
