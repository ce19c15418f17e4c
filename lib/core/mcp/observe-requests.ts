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
    return reportAnswer(observed, turn, request, answer);
  };
}

function reportAnswer(
  observed: RequestInProgress,
  turn: RequestContext,
  request: McpRequest,
  answer: ProtocolMethods,
): ReturnType<ProtocolMethods> {
  const failed = (error: unknown) => {
    observed.end(turn, "internal");
    throw error;
  };
  const answered = <T extends MessageText | undefined>(text: T): T => {
    observed.end(turn, errorTypeIn(text, request.id));
    return text;
  };
  let text: ReturnType<ProtocolMethods>;
  try {
    text = answer(turn, request);
  } catch (error) {
    return failed(error);
  }
  return text instanceof Promise ? text.then(answered, failed) : answered(text);
}

/**
 * What is measured of a request of an MCP client: one object for each request, because this is part of the cost of a
 * call. The call keeps it until its record is written, so it refers to nothing of the connection.
 */
class RequestInProgress implements ObservedRequest, AnsweredRequest {
  readonly method: string;
  readonly listener: ListenerKind;
  protocolVersion = "";
  upstreamMs: number | undefined = undefined;
  isToolError = false;
  durationMs = 0;
  errorType: string | undefined = undefined;
  readonly span: TraceSpan | undefined;
  private readonly observers: Traffic;
  private readonly startedAt = performance.now();

  constructor(observers: Traffic, turn: RequestContext, request: McpRequest) {
    this.method = request.method;
    this.listener = turn.requester.caller.listener;
    this.observers = observers;
    this.span = observers.tracer?.begin(new ArrivedRequest(turn, request));
  }

  /** @param errorType as in `AnsweredRequest`; that of a tool result with `isError` takes precedence */
  end({ envelope, session }: RequestContext, errorType: string | undefined): void {
    const { observers, span, startedAt } = this;
    this.durationMs = performance.now() - startedAt;
    // `initialize` sets the session.
    this.protocolVersion = envelope ? REVISION_2026 : (session?.revision ?? "");
    this.errorType = this.isToolError ? "tool_error" : errorType;
    observers.answered(this);
    span?.end(this.errorType);
  }
}

/** What a tracer reads of a request: most traces are not recorded, so that it reads only a part. */
class ArrivedRequest implements BegunRequest {
  private readonly turn: RequestContext;
  private readonly request: McpRequest;

  constructor(turn: RequestContext, request: McpRequest) {
    this.turn = turn;
    this.request = request;
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
}

/** The beginning of every response, and what follows the id in an error. */
const BEGINNING = '{"jsonrpc":"2.0","id":';
const ERROR = ',"error":{"code":';

/**
 * Returns the code of a JSON-RPC error response as `rpcErrorText` writes it; undefined for a result. Reading the text
 * costs less than parsing it. A cancelled request has no response.
 */
export function errorTypeIn(text: MessageText | undefined, id: RpcId): string | undefined {
  if (text === undefined) return "cancelled";
  // Only results are long enough to be in pieces.
  if (typeof text !== "string") return undefined;
  const at = BEGINNING.length + (typeof id === "number" ? String(id) : JSON.stringify(id)).length;
  if (!text.startsWith(ERROR, at)) return undefined;
  return String(Number.parseInt(text.slice(at + ERROR.length, at + ERROR.length + 8), 10));
}
