import type { BegunCall, BegunHttpRequest, BegunRequest } from "../../core/extension/traffic.ts";

/** A span that has ended and is sent to the collector. */
export interface RecordedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if the client sent none. */
  readonly tracestate: string;
  readonly parent: SpanParent | undefined;
  readonly subject: SpanSubject;
  /** Milliseconds since the epoch, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** As in `AnsweredRequest` and `ObservedCall`; undefined if it succeeded. */
  readonly errorType: string | undefined;
}

export interface SpanParent {
  readonly spanId: string;
  /** True if the span is of another program. */
  readonly isRemote: boolean;
}

/** What a span is about: a request of an MCP client or of the REST API, or a call to a server. */
export type SpanSubject =
  | { readonly request: Omit<BegunRequest, "from"> }
  | { readonly http: BegunHttpRequest }
  | { readonly call: BegunCall };
