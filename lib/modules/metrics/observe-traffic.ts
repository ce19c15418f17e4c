import type { App } from "../../core/app.ts";
import { type AnsweredRequest, traffic } from "../../core/extension/traffic.ts";
import type { ListenerKind } from "../../core/schema/caller.ts";
import type { DurationSeries } from "./duration-histogram.ts";
import type { Instruments } from "./instruments.ts";
import { errorLabel, methodLabel, transportLabel } from "./label-values.ts";
import { createSeriesLimit } from "./series-limit.ts";

/**
 * Counts the requests of clients and the calls to servers until the returned function is called. This is part of the cost
 * of each call: it finds the series by comparisons, without objects of its own, and first compares with the latest call,
 * since most calls have its method, version and outcome, and many its tool.
 */
export function observeTraffic(app: App, instruments: Instruments, hasToolLabels: boolean): () => void {
  const { clientOperations, hop } = instruments;
  const limit = createSeriesLimit({
    open: (labels, sequence) => clientOperations[sequence % clientOperations.length]!.histogram.add(labels),
  });
  const requests = requestSeries(instruments);
  const adding = hop.add({});
  let latest: LatestCall | undefined;
  const ends = [
    app.part(traffic).observe({
      answered(request) {
        const { durationMs, upstreamMs } = request;
        requests(request).observe(durationMs / 1000);
        if (upstreamMs !== undefined) adding.observe((durationMs - upstreamMs) / 1000);
      },
      called({ method, server, tool: item, durationMs, errorType }) {
        const tool = !hasToolLabels ? undefined : method === "tools/call" ? item : "";
        if (
          latest === undefined ||
          latest.server !== server ||
          latest.tool !== tool ||
          latest.method !== method ||
          latest.errorType !== errorType
        ) {
          const series = limit.seriesOf(server, tool, methodLabel(method), errorLabel(errorType));
          latest = { server, tool, method, errorType, series };
        }
        latest.series.observe(durationMs / 1000);
      },
    }),
    app.config.onChange((next, previous) => {
      const names = new Set(next.mcpServers.map(({ name }) => name));
      // Its series may be removed, or another one may have room now.
      latest = undefined;
      for (const { name } of previous.mcpServers)
        if (!names.has(name))
          for (const series of limit.forget(name))
            for (const { histogram } of clientOperations) histogram.remove(series);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

interface LatestCall {
  readonly server: string;
  readonly tool: string | undefined;
  readonly method: string;
  readonly errorType: string | undefined;
  readonly series: DurationSeries;
}

/** Returns a function that finds the series of a request by its labels, all of which have few values. */
function requestSeries({ serverOperation }: Instruments): (request: AnsweredRequest) => DurationSeries {
  const known = new Map<string, RequestSeries[]>();
  let latest: LatestRequest | undefined;
  const find = (method: string, version: string, transport: string, errorType: string): DurationSeries => {
    const ofMethod = known.get(method) ?? [];
    if (ofMethod.length === 0) known.set(method, ofMethod);
    for (const one of ofMethod)
      if (one.version === version && one.transport === transport && one.errorType === errorType) return one.series;
    const series = serverOperation.add({
      mcp_method_name: method,
      mcp_protocol_version: version,
      network_transport: transport,
      error_type: errorType,
    });
    ofMethod.push({ version, transport, errorType, series });
    return series;
  };
  return ({ method, protocolVersion, listener, errorType }) => {
    if (
      latest === undefined ||
      latest.method !== method ||
      latest.protocolVersion !== protocolVersion ||
      latest.listener !== listener ||
      latest.errorType !== errorType
    ) {
      const series = find(methodLabel(method), protocolVersion, transportLabel(listener), errorLabel(errorType));
      latest = { method, protocolVersion, listener, errorType, series };
    }
    return latest.series;
  };
}

interface RequestSeries {
  readonly version: string;
  readonly transport: string;
  readonly errorType: string;
  readonly series: DurationSeries;
}

/** The latest request, as it was observed. */
interface LatestRequest {
  readonly method: string;
  readonly protocolVersion: string;
  readonly listener: ListenerKind;
  readonly errorType: string | undefined;
  readonly series: DurationSeries;
}
