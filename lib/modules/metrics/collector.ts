import { monitorEventLoopDelay } from "node:perf_hooks";
import type { App } from "../../core/app.ts";
import { traffic } from "../../core/extension/traffic.ts";
import type { EventOf } from "../../core/schema/event.ts";
import { createInstruments, type Instruments } from "./instruments.ts";
import { errorLabel, methodLabel, transportLabel } from "./label-values.ts";
import { metricsText } from "./metrics-text.ts";
import { readLoopDelay, readProcess, readState } from "./read-state.ts";
import { createSeriesLimit, type SeriesLimit } from "./series-limit.ts";

/** Measures while it exists. */
export interface Collector {
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  close(): void;
}

/** Resolution of the measured delay of the event loop (ms). */
const LOOP_RESOLUTION_MS = 20;

export function createCollector(app: App, hasToolLabels: boolean): Collector {
  const instruments = createInstruments(hasToolLabels);
  const limit = createSeriesLimit();
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  instruments.info.set({ version: app.boot.version }, 1);
  const ends = [
    () => loop.disable(),
    observeTraffic(app, instruments, limit, hasToolLabels),
    app.store.writes.onCommit(({ durationMs, writes, lost }) => {
      if (writes > 0) instruments.commit.observe(durationMs / 1000);
      if (lost > 0) instruments.writesLost.inc(lost);
    }),
    app.events.subscribe((event) => countEvent(instruments, event)),
    app.config.onChange((next, previous) => {
      const names = new Set(next.mcpServers.map(({ name }) => name));
      for (const { name } of previous.mcpServers)
        if (!names.has(name))
          for (const { labels, sequence } of limit.forget(name)) shardOf(instruments, sequence).remove(labels);
    }),
  ];
  let reading: Promise<string> | undefined;
  const read = async () => {
    readProcess(instruments);
    readLoopDelay(instruments, loop);
    await readState(app, instruments);
    return metricsText(instruments);
  };
  return {
    text() {
      // Scrapes at the same time share one text.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    close() {
      for (const end of ends) end();
    },
  };
}

function observeTraffic(app: App, instruments: Instruments, limit: SeriesLimit, hasToolLabels: boolean): () => void {
  return app.part(traffic).observe({
    answered({ method, protocolVersion, listener, durationMs, upstreamMs, errorType }) {
      const labels = {
        mcp_method_name: methodLabel(method),
        mcp_protocol_version: protocolVersion,
        network_transport: transportLabel(listener),
        error_type: errorLabel(errorType),
      };
      instruments.serverOperation.observe(labels, durationMs / 1000);
      if (upstreamMs !== undefined) instruments.hop.observe((durationMs - upstreamMs) / 1000);
    },
    called({ method, server, item, durationMs, errorType }) {
      const tool = !hasToolLabels ? undefined : method === "tools/call" ? item : "";
      const { labels, sequence } = limit.seriesOf(server, tool, methodLabel(method), errorLabel(errorType));
      shardOf(instruments, sequence).observe(labels, durationMs / 1000);
    },
  });
}

function shardOf({ clientOperations }: Instruments, sequence: number) {
  return clientOperations[sequence % clientOperations.length]!.histogram;
}

function countEvent(instruments: Instruments, event: EventOf): void {
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
