import type { App } from "../app.ts";
import { NO_TRACE_CONTEXT, readTraceContext } from "../extension/trace-context.ts";
import {
  type AnsweredRequest,
  type BegunRequest,
  type ObservedRequest,
  type TraceContext,
  type TraceSpan,
  type Traffic,
  traffic,
} from "../extension/traffic.ts";
import type { ListenerKind } from "../schema/caller.ts";
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
    const { method } = request;
    if (method === STREAM) return answer(turn, request);
    const observed = new RequestInProgress(observers, turn, request);
    turn.observed = observed;
    // `invoke` reports its answers itself, because one more promise would be part of the cost of a call.
    if (method === "tools/call") return answer(turn, request);
    return reportAnswer(observed, () => answer(turn, request));
  };
}

function reportAnswer(observed: RequestInProgress, answer: () => ReturnType<ProtocolMethods>) {
  const failed = (error: unknown) => {
    observed.end("internal");
    throw error;
  };
  const answered = <T extends MessageText | undefined>(text: T): T => {
    observed.answered(text);
    return text;
  };
  let text: ReturnType<ProtocolMethods>;
  try {
    text = answer();
  } catch (error) {
    return failed(error);
  }
  return text instanceof Promise ? text.then(answered, failed) : answered(text);
}

/**
 * What is measured of a request of an MCP client: one object for each request, because this is part of the cost of a
 * call. Observers and tracer receive it and read what they need.
 */
class RequestInProgress implements ObservedRequest, AnsweredRequest, BegunRequest {
  upstreamMs: number | undefined = undefined;
  isToolError = false;
  durationMs = 0;
  errorType: string | undefined = undefined;
  readonly span: TraceSpan | undefined;
  private readonly observers: Traffic;
  private readonly turn: RequestContext;
  private readonly request: McpRequest;
  private readonly startedAt = performance.now();

  constructor(observers: Traffic, turn: RequestContext, request: McpRequest) {
    this.observers = observers;
    this.turn = turn;
    this.request = request;
    this.span = observers.tracer?.begin(this);
  }

  get method(): string {
    return this.request.method;
  }

  get item(): string | undefined {
    const { name } = this.request.params;
    return typeof name === "string" ? name : undefined;
  }

  get protocolVersion(): string {
    const { envelope, session } = this.turn;
    return envelope ? REVISION_2026 : (session?.revision ?? "");
  }

  get listener(): ListenerKind {
    return this.turn.requester.caller.listener;
  }

  get requestId(): string {
    return this.turn.requester.requestId;
  }

  /** The trace context in `_meta`, or else that of the HTTP headers. */
  get from(): TraceContext {
    const { _meta: meta } = this.request.params;
    const { traceHeaders } = this.turn;
    if (meta === undefined && traceHeaders === undefined) return NO_TRACE_CONTEXT;
    const inMeta = readTraceContext(meta);
    return inMeta.traceparent === undefined && traceHeaders ? { ...inMeta, ...readTraceContext(traceHeaders) } : inMeta;
  }

  answered(text: MessageText | undefined): void {
    this.end(this.isToolError ? "tool_error" : errorTypeIn(text, this.request.id));
  }

  /** @param errorType as in `AnsweredRequest` */
  end(errorType: string | undefined): void {
    this.durationMs = performance.now() - this.startedAt;
    this.errorType = errorType;
    this.observers.answered(this);
    this.span?.end(errorType);
  }
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
