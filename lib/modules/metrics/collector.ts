import { monitorEventLoopDelay } from "node:perf_hooks";
import type { App } from "../../core/app.ts";
import type { EventOf } from "../../core/schema/event.ts";
import { createInstruments, type Instruments } from "./instruments.ts";
import { metricSamples } from "./metric-samples.ts";
import { metricsText } from "./metrics-text.ts";
import { observeTraffic } from "./observe-traffic.ts";
import { readLoopDelay, readProcess, readState } from "./read-state.ts";
import type { MetricSamples } from "./samples.ts";

/** Measures while it exists. */
export interface Collector {
  /** When it began to measure (ms since the epoch). */
  readonly startedAt: number;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  /** Returns the values of all metrics. */
  samples(): Promise<MetricSamples[]>;
  close(): void;
}

/** Resolution of the measured delay of the event loop (ms). */
const LOOP_RESOLUTION_MS = 20;

/** Sets metrics that another module counts, before each reading. */
export type MetricsSource = (instruments: Instruments) => void | Promise<void>;

interface CollectorOptions {
  readonly hasToolLabels: boolean;
  readonly sources: Iterable<MetricsSource>;
}

export function createCollector(app: App, { hasToolLabels, sources }: CollectorOptions): Collector {
  const instruments = createInstruments(hasToolLabels);
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const commits = instruments.commit.add({});
  instruments.info.set({ version: app.boot.version }, 1);
  const ends = [
    () => loop.disable(),
    observeTraffic(app, instruments, hasToolLabels),
    app.store.writes.onCommit(({ durationMs, writes, lost }) => {
      if (writes > 0) commits.observe(durationMs / 1000);
      if (lost > 0) instruments.writesLost.inc(lost);
    }),
    app.events.subscribe(COUNTED, (event) => countEvent(instruments, event)),
  ];
  let reading: Promise<string> | undefined;
  const refresh = async () => {
    readProcess(instruments);
    readLoopDelay(instruments, loop);
    for (const source of sources) {
      try {
        await source(instruments);
      } catch (error) {
        // Its metrics keep their last values: the others are needed most when something fails.
        app.log.tagged("metrics").debug("metrics of a module cannot be read", { error });
      }
    }
    await readState(app, instruments);
  };
  return {
    startedAt: app.clock.now(),
    text() {
      // Scrapes at the same time share one text.
      reading ??= refresh()
        .then(() => metricsText(instruments))
        .finally(() => {
          reading = undefined;
        });
      return reading;
    },
    async samples() {
      await refresh();
      return metricSamples(instruments);
    },
    close() {
      for (const end of ends) end();
    },
  };
}

const COUNTED = [
  "activity.policy_decision",
  "activity.tool_call.rejected",
  "activity.code_execution.completed",
  "sensitive_data.detected",
  "oauth.token_refreshed",
  "oauth.refresh_failed",
] as const;

function countEvent(instruments: Instruments, event: EventOf<(typeof COUNTED)[number]>): void {
  switch (event.kind) {
    case "activity.policy_decision":
    case "activity.tool_call.rejected":
      instruments.rejected.inc({ reason: event.data.reason });
      break;
    case "activity.code_execution.completed":
      instruments.script.observe({ status: event.data.status }, event.data.duration_ms / 1000);
      break;
    case "sensitive_data.detected":
      instruments.findings.inc({ severity: event.data.max_severity });
      break;
    case "oauth.token_refreshed":
      instruments.refreshes.inc({ outcome: "success" });
      break;
    case "oauth.refresh_failed":
      instruments.refreshes.inc({ outcome: "failure" });
      break;
  }
}
