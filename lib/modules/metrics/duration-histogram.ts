import type { MetricValueWithName } from "prom-client";
import type { MetricSamples } from "./samples.ts";

/** The label values of one series. */
export type Labels = Readonly<Record<string, string>>;

interface HistogramFacts {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in ascending order (seconds). */
  readonly buckets: readonly number[];
  readonly labelNames: readonly string[];
}

/**
 * A histogram of durations for prom-client's registry. Whoever measures keeps the series: to find one by its labels, as
 * prom-client's own histogram does for each value, takes longer than everything else that is measured of a call.
 */
export class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly buckets: readonly number[];
  readonly labelNames: readonly string[];
  private readonly series = new Set<DurationSeries>();

  constructor({ name, help, buckets, labelNames }: HistogramFacts) {
    this.name = name;
    this.help = help;
    this.buckets = buckets;
    this.labelNames = labelNames;
  }

  /** Adds a series. The caller sees to it that no other one has the same labels. */
  add(labels: Labels): DurationSeries {
    const series = new DurationSeries(labels, this.buckets);
    this.series.add(series);
    return series;
  }

  remove(series: DurationSeries): void {
    this.series.delete(series);
  }

  /** Called by the registry. */
  async get(): Promise<MetricSamples> {
    const { name, help, series } = this;
    const values: MetricValueWithName<string>[] = [];
    for (const one of series) one.addValues(name, values);
    return { name, help, type: this.type, values };
  }
}

/** The durations with the same labels. */
export class DurationSeries {
  readonly labels: Labels;
  private readonly buckets: readonly number[];
  /** One for each bucket, and the last for longer durations. */
  private readonly counts: Float64Array;
  private readonly sum = new Float64Array(1);

  constructor(labels: Labels, buckets: readonly number[]) {
    this.labels = labels;
    this.buckets = buckets;
    this.counts = new Float64Array(buckets.length + 1);
  }

  observe(seconds: number): void {
    const { buckets, counts, sum } = this;
    let i = 0;
    while (i < buckets.length && seconds > buckets[i]!) i++;
    counts[i]!++;
    sum[0]! += seconds;
  }

  /** Adds what prom-client lists of a series: its buckets, which include those below them, then its sum and its count. */
  addValues(name: string, values: MetricValueWithName<string>[]): void {
    const { labels, buckets, counts, sum } = this;
    const metricName = `${name}_bucket`;
    let below = 0;
    for (const [i, le] of buckets.entries()) {
      below += counts[i]!;
      values.push({ metricName, labels: { le, ...labels }, value: below });
    }
    const count = below + counts[buckets.length]!;
    values.push(
      { metricName, labels: { le: "+Inf", ...labels }, value: count },
      { metricName: `${name}_sum`, labels, value: sum[0]! },
      { metricName: `${name}_count`, labels, value: count },
    );
  }
}
