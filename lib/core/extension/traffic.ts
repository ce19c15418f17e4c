import { part } from "../app.ts";
import type { ListenerKind } from "../schema/caller.ts";

/** What is measured of one request while it runs. */
export interface ObservedRequest {
  /** Duration of its calls at servers, including the wait for slots (ms); undefined if it called none. */
  upstreamMs?: number | undefined;
  /** True if its result is a tool result with `isError`. */
  isToolError?: boolean;
  /** Its span; absent unless traces are made. */
  readonly span?: TraceSpan | undefined;
}

/** A trace context of W3C, with the names that its parts have in `_meta` and as HTTP headers. */
export type TraceContext = {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
};

/** The span of a request, or of a call to a server, while it runs. */
export interface TraceSpan {
  /** Begins the span of a call within this one. @returns undefined if the call needs none: the trace is not recorded */
  beginCall(call: BegunCall): TraceSpan | undefined;
  /** Returns a new object with what the next program needs to continue the trace. */
  context(): TraceContext;
  /** The parts of the context that the client has chosen; undefined if it sent none. */
  readonly inherited: Omit<TraceContext, "traceparent"> | undefined;
  /** @param errorType as in `AnsweredRequest` and `ObservedCall`; undefined if it succeeded */
  end(errorType: string | undefined): void;
}

/** A request of an MCP client that arrived. */
export interface BegunRequest {
  readonly method: string;
  /** Name of the tool or prompt as the client writes it; undefined if the request has none. */
  readonly item: string | undefined;
  readonly protocolVersion: string;
  readonly listener: ListenerKind;
  /** The id that log and activity records have for the request. */
  readonly requestId: string;
  /** The trace context that the client sent. */
  readonly from: TraceContext;
}

/** A request of the REST API that calls servers. */
export interface BegunHttpRequest {
  /** Method and path, as the reference writes them. */
  readonly route: `${string} ${string}`;
  readonly requestId: string;
  readonly from: TraceContext;
}

/** A call, or another request, that is about to be sent to a server. */
export interface BegunCall {
  readonly method: string;
  readonly server: string;
  /** Name of the tool or other item as its server writes it. */
  readonly tool: string;
}

/**
 * Makes spans, without arguments and results. Its methods must be fast and must not throw. They must not keep the objects
 * that they receive, because those contain more than is measured.
 */
export interface Tracer {
  begin(request: BegunRequest): TraceSpan;
  beginHttp(request: BegunHttpRequest): TraceSpan;
  /** Begins the span of a call that belongs to no request. */
  beginCall(call: BegunCall, from: TraceContext): TraceSpan;
  /** Returns the trace of a request in progress, by the request's id. */
  traceIdOf(requestId: string): string | undefined;
}

/** A request of an MCP client that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  readonly protocolVersion: string;
  readonly listener: ListenerKind;
  /** From the parsed message to the text of its response (ms). */
  readonly durationMs: number;
  readonly upstreamMs: number | undefined;
  /** `tool_error`, the code of a JSON-RPC error, `cancelled`, or `internal`; undefined if the request succeeded. */
  readonly errorType: string | undefined;
}

/** A call, or another request of a client, that was sent to its server. */
export interface ObservedCall extends BegunCall {
  readonly durationMs: number;
  /** `tool_error`, the code of a fault, or the code of the server's JSON-RPC error; undefined if the call succeeded. */
  readonly errorType: string | undefined;
}

/**
 * Receives measurements of the traffic, without arguments and results. Its methods must be fast and must not throw. They
 * must not keep the objects that they receive: those are the request and the call themselves, because an object for each
 * measurement would be part of the cost of a call.
 */
export interface TrafficObserver {
  answered(request: AnsweredRequest): void;
  called(call: ObservedCall): void;
}

/** The observers of the traffic, and its tracer. Without them, no call pays: what measures is not in its path. */
export interface Traffic extends TrafficObserver {
  /** @returns a function that removes the observer */
  observe(observer: TrafficObserver): () => void;
  /** Uses a tracer until the returned function is called; there is one at most. */
  trace(tracer: Tracer): () => void;
  readonly tracer: Tracer | undefined;
  /** Calls `follow` when one of the two facts changes; at once if something observes. */
  onObserved(follow: (isObserved: boolean, isTraced: boolean) => void): void;
}

export const traffic = part<Traffic>("traffic", () => {
  /** Replaced when it changes: a loop over a list needs no iterator. */
  let observers: readonly TrafficObserver[] = [];
  const followers: ((isObserved: boolean, isTraced: boolean) => void)[] = [];
  let tracer: Tracer | undefined;
  let wasObserved = false;
  let wasTraced = false;
  const announce = () => {
    const isTraced = tracer !== undefined;
    const isObserved = isTraced || observers.length > 0;
    if (isObserved === wasObserved && isTraced === wasTraced) return;
    wasObserved = isObserved;
    wasTraced = isTraced;
    for (const follow of followers) follow(isObserved, isTraced);
  };
  return {
    observe(observer) {
      observers = [...observers, observer];
      announce();
      return () => {
        observers = observers.filter((one) => one !== observer);
        announce();
      };
    },
    trace(next) {
      tracer = next;
      announce();
      return () => {
        if (tracer === next) tracer = undefined;
        announce();
      };
    },
    get tracer() {
      return tracer;
    },
    onObserved(follow) {
      followers.push(follow);
      if (wasObserved) follow(wasObserved, wasTraced);
    },
    answered(request) {
      for (let i = 0; i < observers.length; i++) observers[i]!.answered(request);
    },
    called(call) {
      for (let i = 0; i < observers.length; i++) observers[i]!.called(call);
    },
  };
});
