import { TraceFlags } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../../core/base/clock.ts";
import type { Sender } from "./create-sender.ts";

/** Maximum number of spans in memory that the collector has not yet accepted. */
const MAX_SPANS = 4096;

/** Spans of one message to the collector, so that writing it does not delay calls. */
const MAX_BATCH = 128;

/** Sends spans in batches, one after the other, in the background. It does not wait longer than `delayMs` to begin. */
export function createSpanQueue(sender: Sender, delayMs: number, clock: Clock): SpanProcessor {
  const waiting: ReadableSpan[] = [];
  let unsettled = 0;
  let cancel: (() => void) | undefined;
  let sending: Promise<void> | undefined;

  const sendAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      unsettled = batch.length;
      await sender.send(textOf(batch), batch.length);
      unsettled = 0;
    }
  };
  const flush = () => {
    cancel?.();
    cancel = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting.length + unsettled >= MAX_SPANS) {
        sender.lose(1, `more than ${MAX_SPANS} spans were waiting for the collector`);
        return;
      }
      waiting.push(span);
      if (sending) return;
      if (waiting.length >= MAX_BATCH) void flush();
      else cancel ??= clock.after(delayMs, () => void flush());
    },
    forceFlush: flush,
    shutdown: flush,
  };
}

function textOf(spans: ReadableSpan[]): string {
  return Buffer.from(JsonTraceSerializer.serializeRequest(spans)!).toString();
}
