import type { Clock } from "../../core/base/clock.ts";
import type { Sender } from "./create-sender.ts";
import type { RecordedSpan } from "./recorded-span.ts";

/** Maximum number of spans in memory that the collector has not yet accepted. */
const MAX_SPANS = 4096;

/** Spans of one message to the collector, as many as OpenTelemetry's own programs send. */
const MAX_BATCH = 512;

/** Sends spans in the background. */
export interface SpanQueue {
  add(span: RecordedSpan): void;
  /** Sends what waits. @returns a promise that resolves when everything is sent or lost */
  flush(): Promise<void>;
}

interface QueueParts {
  readonly sender: Sender;
  /** Maximum wait of a span until its message is begun (ms). */
  readonly delayMs: number;
  readonly clock: Clock;
  readonly textOf: (spans: readonly RecordedSpan[]) => Promise<string>;
}

/** Sends spans in batches, one after the other. */
export function createSpanQueue({ sender, delayMs, clock, textOf }: QueueParts): SpanQueue {
  const waiting: RecordedSpan[] = [];
  let unsettled = 0;
  let cancel: (() => void) | undefined;
  let sending: Promise<void> | undefined;

  const sendAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      unsettled = batch.length;
      await sender.send(await textOf(batch), batch.length);
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
    add(span) {
      if (waiting.length + unsettled >= MAX_SPANS) {
        sender.lose(1, `more than ${MAX_SPANS} spans were waiting for the collector`);
        return;
      }
      waiting.push(span);
      if (sending) return;
      if (waiting.length >= MAX_BATCH) void flush();
      else cancel ??= clock.after(delayMs, () => void flush());
    },
    flush,
  };
}
