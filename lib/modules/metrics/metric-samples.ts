import { loopShare } from "../../core/base/loop-share.ts";
import { CLIENT_OPERATION, type Instruments } from "./instruments.ts";
import type { MetricSamples } from "./samples.ts";

/**
 * Returns the values of all metrics. Pauses between metrics, because there may be many. A metric that is divided over
 * several histograms appears several times, one directly after the other.
 */
export async function metricSamples({ registry, clientOperations }: Instruments): Promise<MetricSamples[]> {
  const pause = loopShare();
  const samples: MetricSamples[] = [];
  const metrics = [
    ...registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name)!),
    ...clientOperations.map((shard) => shard.registry.getSingleMetric(CLIENT_OPERATION)!),
  ];
  for (const metric of metrics) {
    samples.push(await (metric as unknown as ReadableMetric).get());
    await pause();
  }
  return samples;
}

/** The union of metrics of the library has no common signature of `get`. */
interface ReadableMetric {
  get(): Promise<MetricSamples>;
}
