import type { Resource } from "@opentelemetry/resources";
import type { App } from "../../core/app.ts";
import { traffic } from "../../core/extension/traffic.ts";
import type { Sender } from "./create-sender.ts";
import { createTracer } from "./create-tracer.ts";
import { samplerFor } from "./sampler-for.ts";
import { createSpanQueue } from "./span-queue.ts";
import { spansDocument } from "./spans-document.ts";

/** Default of the specification for `OTEL_BSP_SCHEDULE_DELAY` (ms). */
const DELAY_MS = 5000;

/** Makes spans of the traffic and sends them. @returns a function that stops, and resolves when the last are sent */
export function openTraces(app: App, sender: Sender, resource: Resource): () => Promise<void> {
  const { env, version } = app.boot;
  const delayMs = Number(env.OTEL_BSP_SCHEDULE_DELAY) || DELAY_MS;
  const queue = createSpanQueue({ sender, delayMs, clock: app.clock, textOf: spansDocument(resource, version) });
  const sampler = samplerFor(app.config.current().otlp.sample_ratio, env);
  const end = app.part(traffic).trace(createTracer(sampler, queue.add));
  return () => {
    end();
    return queue.flush();
  };
}
