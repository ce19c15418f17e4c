import { TraceFlags } from "@opentelemetry/api";
import { parseTraceParent, TraceState } from "@opentelemetry/core";
import { hexId } from "../../core/base/id.ts";
import { TransientMap } from "../../core/base/transient-map.ts";
import type { BegunCall, TraceContext, Tracer, TraceSpan } from "../../core/extension/traffic.ts";
import type { RecordedSpan, SpanParent, SpanSubject } from "./recorded-span.ts";
import type { Sampler } from "./sampler-for.ts";

/**
 * Makes a span for each request of a client and for each call to a server. Whether a trace is recorded is decided first,
 * since most are not: such a request has one small object, from which its calls take the context.
 *
 * @param record receives each recorded span when it has ended
 */
export function createTracer(isRecorded: Sampler, record: (span: RecordedSpan) => void): Tracer {
  const parts: TracerParts = { record, traceIds: new TransientMap() };
  const begin = (subject: SpanSubject, from: TraceContext, requestId: string | undefined): TraceSpan => {
    const sent = from.traceparent === undefined ? null : parseTraceParent(from.traceparent);
    const trace: Trace = {
      traceId: sent?.traceId ?? hexId(16),
      tracestate: sent && from.tracestate ? new TraceState(from.tracestate).serialize() : "",
      baggage: from.baggage,
    };
    if (requestId !== undefined) parts.traceIds.set(requestId, trace.traceId);
    if (!isRecorded(trace.traceId, sent ? (sent.traceFlags & TraceFlags.SAMPLED) !== 0 : undefined))
      return new UnrecordedSpan(parts, trace, requestId);
    const parent = sent ? { spanId: sent.spanId, isRemote: true } : undefined;
    return new OpenSpan(parts, trace, { subject, parent, epochMs: Date.now() - performance.now() }, requestId);
  };
  return {
    begin: (request) => begin({ request }, request.from, request.requestId),
    beginHttp: (http) => begin({ http }, http.from, http.requestId),
    beginCall: (call, from) => begin({ call }, from, undefined),
    traceIdOf: (requestId) => parts.traceIds.get(requestId),
  };
}

interface TracerParts {
  readonly record: (span: RecordedSpan) => void;
  /** Traces of the requests in progress by the ids of the requests, for the log. */
  readonly traceIds: TransientMap<string, string>;
}

/** What the spans of one trace have in common. */
interface Trace {
  readonly traceId: string;
  /** Empty if there is none. */
  readonly tracestate: string;
  readonly baggage: string | undefined;
}

/** The span of a request, or of a call without one, whose trace is only passed on. */
class UnrecordedSpan implements TraceSpan {
  private readonly spanId = hexId(8);
  private readonly parts: TracerParts;
  private readonly trace: Trace;
  private readonly requestId: string | undefined;

  constructor(parts: TracerParts, trace: Trace, requestId: string | undefined) {
    this.parts = parts;
    this.trace = trace;
    this.requestId = requestId;
  }

  beginCall(): undefined {
    return undefined;
  }

  context(): TraceContext {
    return contextOf(this.trace, this.spanId, "00");
  }

  end(): void {
    if (this.requestId !== undefined) this.parts.traceIds.delete(this.requestId);
  }
}

interface SpanFacts {
  readonly subject: SpanSubject;
  readonly parent: SpanParent | undefined;
  /** What makes times of `performance.now()` those since the epoch. All spans of a request share it, so that they nest. */
  readonly epochMs: number;
}

/** A span that is recorded when it ends. */
class OpenSpan implements TraceSpan {
  private readonly spanId = hexId(8);
  private readonly startedAt = performance.now();
  private readonly parts: TracerParts;
  private readonly trace: Trace;
  private readonly facts: SpanFacts;
  /** Undefined for the span of a call. */
  private readonly requestId: string | undefined;

  constructor(parts: TracerParts, trace: Trace, facts: SpanFacts, requestId: string | undefined) {
    this.parts = parts;
    this.trace = trace;
    this.facts = facts;
    this.requestId = requestId;
  }

  beginCall(call: BegunCall): TraceSpan {
    const { parts, trace, spanId } = this;
    const parent = { spanId, isRemote: false };
    return new OpenSpan(parts, trace, { subject: { call }, parent, epochMs: this.facts.epochMs }, undefined);
  }

  context(): TraceContext {
    return contextOf(this.trace, this.spanId, "01");
  }

  end(errorType: string | undefined): void {
    const { parts, trace, spanId, startedAt, requestId } = this;
    const { subject, parent, epochMs } = this.facts;
    const { traceId, tracestate } = trace;
    if (requestId !== undefined) parts.traceIds.delete(requestId);
    const times = { startedAt: epochMs + startedAt, endedAt: epochMs + performance.now() };
    parts.record({ traceId, spanId, tracestate, parent, subject, ...times, errorType });
  }
}

/** @see https://www.w3.org/TR/trace-context/ */
function contextOf({ traceId, tracestate, baggage }: Trace, spanId: string, flags: "00" | "01"): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  if (tracestate === "" && baggage === undefined) return { traceparent };
  return { traceparent, ...(tracestate !== "" && { tracestate }), ...(baggage !== undefined && { baggage }) };
}
