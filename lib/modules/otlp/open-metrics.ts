import type { Resource } from "@opentelemetry/resources";
import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import { metrics } from "../metrics/state.ts";
import type { Sender } from "./create-sender.ts";
import { metricsDocument } from "./metrics-document.ts";

/** Measures and sends all metrics at each interval. @returns a function that stops, and resolves when they are sent once more */
export function openMetrics(app: App, sender: Sender, resource: Resource): () => Promise<void> {
  const { clock, boot } = app;
  const source = app.part(metrics);
  const release = source.demand();
  let sending: Promise<void> | undefined;

  const send = async () => {
    const collector = source.collector();
    if (!collector) return;
    const samples = await collector.samples();
    const facts = { resource, version: boot.version, startedAt: collector.startedAt, now: clock.now() };
    const { text, count } = await metricsDocument(samples, facts);
    await sender.send(text, count);
  };
  // While one message is not settled, no other is made: the next one contains the same sums.
  const flush = () => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const intervalMs = durationMs(app.config.current().otlp.metrics_interval)!;
  const cancel = clock.every(intervalMs, () => app.log.catch("sending metrics to the collector", flush()));
  return async () => {
    cancel();
    await flush().finally(release);
  };
}
