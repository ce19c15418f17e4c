import type { Resource } from "@opentelemetry/resources";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { App } from "../../core/app.ts";
import { traffic } from "../../core/extension/traffic.ts";
import type { Sender } from "./create-sender.ts";
import { createTracer } from "./create-tracer.ts";
import { samplerFor } from "./sampler-for.ts";
import { createSpanQueue } from "./span-queue.ts";

/** Default of the specification for `OTEL_BSP_SCHEDULE_DELAY` (ms). */
const DELAY_MS = 5000;

/** Makes spans of the traffic and sends them. @returns a function that stops, and resolves when the last are sent */
export function openTraces(app: App, sender: Sender, resource: Resource): () => Promise<void> {
  const { env, version } = app.boot;
  const delayMs = Number(env.OTEL_BSP_SCHEDULE_DELAY) || DELAY_MS;
  const provider = new BasicTracerProvider({
    resource,
    sampler: samplerFor(app.config.current().otlp.sample_ratio, env),
    spanProcessors: [createSpanQueue(sender, delayMs, app.clock)],
  });
  const end = app.part(traffic).trace(createTracer(provider.getTracer("proxy", version)));
  return () => {
    end();
    return provider.shutdown();
  };
}
