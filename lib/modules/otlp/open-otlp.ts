import { randomUUID } from "node:crypto";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import type { App } from "../../core/app.ts";
import { waitAtMost } from "../../core/upstream/wait-at-most.ts";
import { createSender, type Sender } from "./create-sender.ts";
import { openMetrics } from "./open-metrics.ts";
import { openTraces } from "./open-traces.ts";
import { senderSettings } from "./sender-settings.ts";
import { SIGNALS, type Signal } from "./signal-url.ts";

/** Maximum time for the last messages when the proxy or the configuration ends the export (ms). */
const CLOSE_TIMEOUT_MS = 2000;

/** Sends one signal while it exists. */
export interface OtlpExport {
  readonly signal: Signal;
  readonly sender: Sender;
  /** Sends the last spans or data points, for a limited time. */
  close(): Promise<void>;
}

const OPEN = { traces: openTraces, metrics: openMetrics } as const;

/** The nouns of what is lost. */
const CONTENT = { traces: "spans", metrics: "data points" } as const;

/**
 * Sends all signals that the configuration and the environment want.
 *
 * @throws Fault if a header refers to a secret that does not exist
 */
export async function openOtlp(app: App): Promise<OtlpExport[]> {
  const log = app.log.tagged("otlp");
  const about = resource(app.boot.version);
  const settings = await Promise.all(SIGNALS.map((signal) => senderSettings(app, signal)));
  return SIGNALS.flatMap((signal, i) => {
    const one = settings[i];
    if (!one) return [];
    // A new connection for each message costs more than writing its spans.
    const egress = app.egress.keepingOpen();
    const sender = createSender({ egress, clock: app.clock }, one, ({ problem, lost }) => {
      const what = CONTENT[signal];
      if (problem === undefined) log.info(`the collector accepts ${signal} again; ${lost} ${what} were lost so far`);
      else log.warn(`the collector does not accept ${signal}; ${what} are lost; see proxy doctor`, { reason: problem });
    });
    const stop = OPEN[signal](app, sender, about);
    return {
      signal,
      sender,
      async close() {
        await waitAtMost(app.clock, CLOSE_TIMEOUT_MS, stop());
        sender.end();
        await egress.close();
      },
    };
  });
}

/** Names this program; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function resource(version: string): Resource {
  const own = { "service.name": "proxy", "service.version": version, "service.instance.id": randomUUID() };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}
