import { TraceFlags } from "@opentelemetry/api";
import { parseTraceParent, TraceState } from "@opentelemetry/core";
import { hexId, uuidDigits } from "../../core/base/id.ts";
import { TransientMap } from "../../core/base/transient-map.ts";
import type { BegunCall, TraceContext, Tracer, TraceSpan } from "../../core/extension/traffic.ts";
import type { RecordedSpan, SpanParent, SpanSubject } from "./recorded-span.ts";
import type { Sampler } from "./sampler-for.ts";

/**
 * Makes a span for each request of a client and for each call to a server. The id of a new trace is the request id without
 * dashes, if that is a UUID, so that one leads to the other. Whether a trace is recorded is decided first, since most are
 * not: such a request has one small object, from which its calls take the context.
 *
 * @param record receives each recorded span when it has ended
 */
export function createTracer(isRecorded: Sampler, record: (span: RecordedSpan) => void): Tracer {
  const parts: TracerParts = { isRecorded, record, otherIds: new TransientMap() };
  return {
    begin(request) {
      const { requestId } = request;
      const trace = new Trace(parts, request.from, requestId);
      if (!trace.isRecorded) return trace;
      const { method, item, protocolVersion, listener } = request;
      return trace.open({ request: { method, item, protocolVersion, listener, requestId } });
    },
    beginHttp(http) {
      const trace = new Trace(parts, http.from, http.requestId);
      return trace.isRecorded ? trace.open({ http }) : trace;
    },
    beginCall(call, from) {
      const trace = new Trace(parts, from, undefined);
      return trace.isRecorded ? trace.open(callSubject(call)) : trace;
    },
    traceIdOf: (requestId) => parts.otherIds.get(requestId) ?? uuidDigits(requestId),
  };
}

function callSubject({ method, server, tool }: BegunCall): SpanSubject {
  return { call: { method, server, tool } };
}

interface TracerParts {
  readonly isRecorded: Sampler;
  readonly record: (span: RecordedSpan) => void;
  /** Traces of the requests in progress whose ids do not follow from those of the requests, by the latter; for the log. */
  readonly otherIds: TransientMap<string, string>;
}

/** What the spans of one trace have in common. It is itself the span of a request whose trace is only passed on. */
class Trace implements TraceSpan {
  readonly parts: TracerParts;
  readonly traceId: string;
  /** Empty if there is none. */
  readonly tracestate: string;
  readonly inherited: TraceSpan["inherited"];
  readonly isRecorded: boolean;
  /** Set if the trace is one of `otherIds`. */
  private readonly otherOf: string | undefined;
  private readonly parentId: string | undefined;
  /** Set when it is needed. */
  private spanId: string | undefined = undefined;

  constructor(parts: TracerParts, from: TraceContext, requestId: string | undefined) {
    const sent = from.traceparent === undefined ? null : parseTraceParent(from.traceparent);
    this.parts = parts;
    const ownId = requestId === undefined ? undefined : uuidDigits(requestId);
    this.traceId = sent?.traceId ?? ownId ?? hexId(16);
    this.tracestate = sent && from.tracestate ? new TraceState(from.tracestate).serialize() : "";
    this.inherited = inheritedOf(this.tracestate, from.baggage);
    this.otherOf = this.traceId === ownId ? undefined : requestId;
    this.parentId = sent?.spanId;
    const isSentRecorded = sent ? (sent.traceFlags & TraceFlags.SAMPLED) !== 0 : undefined;
    this.isRecorded = parts.isRecorded(this.traceId, isSentRecorded);
    if (this.otherOf !== undefined) parts.otherIds.set(this.otherOf, this.traceId);
  }

  /** Opens the first span of a recorded trace. */
  open(subject: SpanSubject): TraceSpan {
    const { parentId } = this;
    const parent = parentId === undefined ? undefined : { spanId: parentId, isRemote: true };
    return new OpenSpan(this, { subject, parent, epochMs: Date.now() - performance.now() });
  }

  beginCall(): undefined {
    return undefined;
  }

  context(): TraceContext {
    this.spanId ??= hexId(8);
    return this.contextWith(this.spanId, "00");
  }

  end(): void {
    if (this.otherOf !== undefined) this.parts.otherIds.delete(this.otherOf);
  }

  /** @see https://www.w3.org/TR/trace-context/ */
  contextWith(spanId: string, flags: "00" | "01"): TraceContext {
    const { traceId, inherited } = this;
    const traceparent = `00-${traceId}-${spanId}-${flags}`;
    return inherited ? { traceparent, ...inherited } : { traceparent };
  }
}

function inheritedOf(tracestate: string, baggage: string | undefined): TraceSpan["inherited"] {
  if (tracestate === "" && baggage === undefined) return undefined;
  return { ...(tracestate !== "" && { tracestate }), ...(baggage !== undefined && { baggage }) };
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
  private readonly trace: Trace;
  private readonly facts: SpanFacts;

  constructor(trace: Trace, facts: SpanFacts) {
    this.trace = trace;
    this.facts = facts;
  }

  get inherited(): TraceSpan["inherited"] {
    return this.trace.inherited;
  }

  beginCall(call: BegunCall): TraceSpan {
    const parent = { spanId: this.spanId, isRemote: false };
    return new OpenSpan(this.trace, { subject: callSubject(call), parent, epochMs: this.facts.epochMs });
  }

  context(): TraceContext {
    return this.trace.contextWith(this.spanId, "01");
  }

  end(errorType: string | undefined): void {
    const { trace, spanId, startedAt } = this;
    const { subject, parent, epochMs } = this.facts;
    const { traceId, tracestate } = trace;
    if (!("call" in subject)) trace.end();
    const times = { startedAt: epochMs + startedAt, endedAt: epochMs + performance.now() };
    trace.parts.record({ traceId, spanId, tracestate, parent, subject, ...times, errorType });
  }
}
