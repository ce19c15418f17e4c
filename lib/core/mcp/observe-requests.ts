import type { App } from "../app.ts";
import { NO_TRACE_CONTEXT, readTraceContext } from "../extension/trace-context.ts";
import {
  type BegunRequest,
  type ObservedRequest,
  type TraceContext,
  type TraceSpan,
  type Traffic,
  traffic,
} from "../extension/traffic.ts";
import { REVISION_2026, type RpcId } from "../schema/mcp.ts";
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
    const observed = new RequestInProgress(observers, turn, request);
    turn.observed = observed;
    let text: ReturnType<ProtocolMethods>;
    try {
      text = answer(turn, request);
    } catch (error) {
      return observed.failed(error);
    }
    if (!(text instanceof Promise)) return observed.answered(text);
    return text.then(
      (later) => observed.answered(later),
      (error) => observed.failed(error),
    );
  };
}

/** One object for each request, because this is part of the cost of a call. */
class RequestInProgress implements ObservedRequest {
  upstreamMs: number | undefined = undefined;
  isToolError = false;
  readonly span: TraceSpan | undefined;
  private readonly observers: Traffic;
  private readonly turn: RequestContext;
  private readonly request: McpRequest;
  private readonly startedAt: number;

  constructor(observers: Traffic, turn: RequestContext, request: McpRequest) {
    this.observers = observers;
    this.turn = turn;
    this.request = request;
    this.span = observers.tracer?.begin(begunRequest(turn, request));
    this.startedAt = performance.now();
  }

  answered<T extends MessageText | undefined>(text: T): T {
    this.report(this.isToolError ? "tool_error" : errorTypeIn(text, this.request.id));
    return text;
  }

  failed(error: unknown): never {
    this.report("internal");
    throw error;
  }

  private report(errorType: string | undefined): void {
    const { observers, turn, span } = this;
    if (observers.isMeasured)
      observers.answered({
        method: this.request.method,
        protocolVersion: protocolVersionOf(turn),
        listener: turn.requester.caller.listener,
        durationMs: performance.now() - this.startedAt,
        upstreamMs: this.upstreamMs,
        errorType,
      });
    span?.end(errorType);
  }
}

function begunRequest(turn: RequestContext, { method, params }: McpRequest): BegunRequest {
  const { name, _meta: meta } = params;
  return {
    method,
    item: typeof name === "string" ? name : undefined,
    protocolVersion: protocolVersionOf(turn),
    listener: turn.requester.caller.listener,
    requestId: turn.requester.requestId,
    from: sentContext(meta, turn.traceHeaders),
  };
}

/** Returns the trace context in `_meta`, or else that of the HTTP headers. */
function sentContext(meta: unknown, headers: RequestContext["traceHeaders"]): TraceContext {
  if (meta === undefined && headers === undefined) return NO_TRACE_CONTEXT;
  const inMeta = readTraceContext(meta);
  return inMeta.traceparent === undefined && headers ? { ...inMeta, ...readTraceContext(headers) } : inMeta;
}

function protocolVersionOf({ envelope, session }: RequestContext): string {
  return envelope ? REVISION_2026 : (session?.revision ?? "");
}

/** The beginning of every response, and what follows the id in an error. */
const BEGINNING = '{"jsonrpc":"2.0","id":';
const ERROR = ',"error":{"code":';

/**
 * Returns the code of a JSON-RPC error response as `rpcErrorText` writes it; undefined for a result. Reading the text
 * costs less than parsing it. A cancelled request has no response.
 */
function errorTypeIn(text: MessageText | undefined, id: RpcId): string | undefined {
  if (text === undefined) return "cancelled";
  // Only results are long enough to be in pieces.
  if (typeof text !== "string") return undefined;
  const at = BEGINNING.length + (typeof id === "number" ? String(id) : JSON.stringify(id)).length;
  if (!text.startsWith(ERROR, at)) return undefined;
  return String(Number.parseInt(text.slice(at + ERROR.length, at + ERROR.length + 8), 10));
}
