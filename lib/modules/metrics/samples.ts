import type { MetricValueWithName } from "prom-client";

/** A metric with its values as prom-client has them: those of a histogram are its buckets, sums and counts. */
export interface MetricSamples {
  readonly name: string;
  readonly help: string;
  /** The library declares an enum but its values are the names of the types. */
  readonly type: string;
  readonly values: readonly MetricValueWithName<string>[];
}
