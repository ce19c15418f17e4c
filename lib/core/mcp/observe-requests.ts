import type { App } from "../app.ts";
import { readTraceContext } from "../extension/trace-context.ts";
import { type BegunRequest, type ObservedRequest, traffic } from "../extension/traffic.ts";
import { REVISION_2026 } from "../schema/mcp.ts";
import type { MessageText } from "./message-text.ts";
import type { McpRequest, ProtocolMethods } from "./protocol-methods.ts";
import type { RequestContext } from "./request-context.ts";

/** The response to this method is a stream that stays open, so its duration says nothing. */
const STREAM = "subscriptions/listen";

/** Returns `answer` so that it reports the duration and the outcome of every request, and traces it. */
export function observeRequests(app: App, answer: ProtocolMethods): ProtocolMethods {
  const observers = app.part(traffic);
  return (turn, request) => {
    if (request.method === STREAM) return answer(turn, request);
    const observed: ObservedRequest = {};
    turn.observed = observed;
    const { tracer } = observers;
    if (tracer) observed.span = tracer.begin(begunRequest(turn, request));
    const startedAt = performance.now();
    const report = (errorType: string | undefined) => {
      observers.answered({
        method: request.method,
        protocolVersion: protocolVersionOf(turn),
        listener: turn.requester.caller.listener,
        durationMs: performance.now() - startedAt,
        upstreamMs: observed.upstreamMs,
        errorType,
      });
      observed.span?.end(errorType);
    };
    const done = <T extends MessageText | undefined>(text: T) => {
      report(observed.isToolError ? "tool_error" : errorTypeIn(text, request));
      return text;
    };
    const failed = (error: unknown) => {
      report("internal");
      throw error;
    };
    let text: ReturnType<ProtocolMethods>;
    try {
      text = answer(turn, request);
    } catch (error) {
      return failed(error);
    }
    return text instanceof Promise ? text.then(done, failed) : done(text);
  };
}

function begunRequest(turn: RequestContext, { method, params }: McpRequest): BegunRequest {
  const { name, _meta: meta } = params;
  const inMeta = readTraceContext(meta);
  return {
    method,
    item: typeof name === "string" ? name : undefined,
    protocolVersion: protocolVersionOf(turn),
    listener: turn.requester.caller.listener,
    requestId: turn.requester.requestId,
    from: inMeta.traceparent === undefined ? { ...inMeta, ...readTraceContext(turn.traceHeaders) } : inMeta,
  };
}

function protocolVersionOf({ envelope, session }: RequestContext): string {
  return envelope ? REVISION_2026 : (session?.revision ?? "");
}

/** Returns the code of a JSON-RPC error response; undefined for a result. A cancelled request has no response. */
function errorTypeIn(text: MessageText | undefined, { id }: McpRequest): string | undefined {
  if (text === undefined) return "cancelled";
  // Only results are long enough to be in pieces.
  if (typeof text !== "string") return undefined;
  // The beginning of `rpcErrorText`. Reading it costs less than parsing a response.
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":`;
  return text.startsWith(start) ? String(Number.parseInt(text.slice(start.length, start.length + 8), 10)) : undefined;
}
