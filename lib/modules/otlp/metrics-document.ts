import type { Resource } from "@opentelemetry/resources";
import { loopShare } from "../../core/base/loop-share.ts";
import type { MetricSamples } from "../metrics/samples.ts";
import { attributesOf, attributesOfLabels } from "./otlp-attributes.ts";

/** The value of `AggregationTemporality` for sums since the start. */
const CUMULATIVE = 2;

interface DocumentFacts {
  readonly resource: Resource;
  /** Version of this program. */
  readonly version: string;
  /** Since when sums and histograms count, and the time of the values (ms since the epoch). */
  readonly startedAt: number;
  readonly now: number;
}

/**
 * Writes metrics in the JSON of OTLP. Their names have dots where those of Prometheus have underscores, and no suffix of
 * the unit or the type: every program that stores them in Prometheus restores these names.
 *
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
export async function metricsDocument(
  samples: readonly MetricSamples[],
  { resource, version, startedAt, now }: DocumentFacts,
): Promise<{ text: string; count: number }> {
  const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
  const pause = loopShare();
  const texts: string[] = [];
  let count = 0;
  for (let i = 0; i < samples.length; ) {
    const metric = samples[i]!;
    const points: string[] = [];
    // A metric that is divided over several histograms becomes one again.
    for (; samples[i]?.name === metric.name; i++) {
      for (const point of pointsOf(samples[i]!, times)) points.push(JSON.stringify(point));
      await pause();
    }
    if (points.length === 0) continue;
    count += points.length;
    texts.push(metricText(metric, points.join(",")));
  }
  const about = JSON.stringify({ attributes: attributesOf(resource.attributes) });
  const scope = JSON.stringify({ name: "proxy", version });
  const scopes = `[{"scope":${scope},"metrics":[${texts.join(",")}]}]`;
  return { text: `{"resourceMetrics":[{"resource":${about},"scopeMetrics":${scopes}}]}`, count };
}

function metricText({ name: promName, help: description, type }: MetricSamples, points: string): string {
  const { name, unit } = otlpName(promName);
  const head = JSON.stringify({ name, description, unit }).slice(0, -1);
  if (type === "gauge") return `${head},"gauge":{"dataPoints":[${points}]}}`;
  const temporality = `"aggregationTemporality":${CUMULATIVE}`;
  if (type === "histogram") return `${head},"histogram":{${temporality},"dataPoints":[${points}]}}`;
  return `${head},"sum":{${temporality},"isMonotonic":true,"dataPoints":[${points}]}}`;
}

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ["_seconds", "s"],
  ["_bytes", "By"],
];

function otlpName(promName: string): { name: string; unit: string } {
  const counted = promName.replace(/_total$/, "");
  const [suffix, unit] = UNITS.find(([end]) => counted.endsWith(end)) ?? ["", ""];
  return { name: counted.slice(0, counted.length - suffix.length).replaceAll("_", "."), unit };
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

function pointsOf(samples: MetricSamples, times: Times): object[] {
  const { type } = samples;
  if (type === "histogram") return histogramPoints(samples, times);
  const { timeUnixNano } = times;
  const ofType = type === "gauge" ? { timeUnixNano } : times;
  return samples.values.map(({ labels, value }) => ({
    attributes: attributesOfLabels(labels),
    ...ofType,
    asDouble: value,
  }));
}

/** prom-client lists a series as its buckets, which include those below them, then its sum, then its count. */
function histogramPoints({ name, values }: MetricSamples, times: Times): object[] {
  const points: object[] = [];
  let explicitBounds: number[] = [];
  let bucketCounts: string[] = [];
  let below = 0;
  let sum = 0;
  for (const { labels, value, metricName } of values) {
    if (metricName === `${name}_bucket`) {
      bucketCounts.push(String(value - below));
      below = value;
      if (labels.le !== "+Inf") explicitBounds.push(Number(labels.le));
    } else if (metricName === `${name}_sum`) sum = value;
    else {
      points.push({
        attributes: attributesOfLabels(labels),
        ...times,
        count: String(value),
        sum,
        bucketCounts,
        explicitBounds,
      });
      [explicitBounds, bucketCounts, below] = [[], [], 0];
    }
  }
  return points;
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}
