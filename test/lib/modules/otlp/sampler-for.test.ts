import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-base";
import { hexId } from "#lib/core/base/id.ts";
import { samplerFor } from "#lib/modules/otlp/sampler-for.ts";

const TRACES = 1000;

/** The share of traces that are recorded, by the decision of the client. */
interface Shares {
  readonly fresh: number;
  readonly recorded: number;
  readonly unrecorded: number;
}

const ALL: Shares = { fresh: 1, recorded: 1, unrecorded: 1 };
const NONE: Shares = { fresh: 0, recorded: 0, unrecorded: 0 };
const followed = (fresh: number): Shares => ({ fresh, recorded: 1, unrecorded: 0 });

const ROWS: readonly [ratio: number | undefined, sampler: string, argument: string | undefined, shares: Shares][] = [
  [undefined, "", undefined, followed(1)],
  [undefined, "always_on", undefined, ALL],
  [undefined, "always_off", undefined, NONE],
  [undefined, "traceidratio", "0.25", { fresh: 0.25, recorded: 0.25, unrecorded: 0.25 }],
  [undefined, "traceidratio", undefined, ALL],
  [undefined, "parentbased_always_on", undefined, followed(1)],
  [undefined, "parentbased_always_off", undefined, followed(0)],
  [undefined, "parentbased_traceidratio", "0.25", followed(0.25)],
  [undefined, "parentbased_traceidratio", "0", followed(0)],
  [undefined, "parentbased_traceidratio", "2", followed(1)],
  [undefined, "parentbased_traceidratio", "a quarter", followed(1)],
  [undefined, "no_such_sampler", undefined, followed(1)],
  [0, "always_on", undefined, followed(0)],
  [0.25, "always_off", undefined, followed(0.25)],
  [1, "always_off", undefined, followed(1)],
];

for (const [ratio, sampler, argument, shares] of ROWS)
  test(`sample_ratio ${ratio}, OTEL_TRACES_SAMPLER "${sampler}", argument ${argument}`, () => {
    const env = { OTEL_TRACES_SAMPLER: sampler, ...(argument !== undefined && { OTEL_TRACES_SAMPLER_ARG: argument }) };
    const isRecorded = samplerFor(ratio, env);

    const shareOf = (isSentRecorded: boolean | undefined) => {
      let count = 0;
      for (let i = 0; i < TRACES; i++) {
        // The ratio is decided by the trace id, so evenly spread ids give the exact share.
        const traceId = Math.floor(((i + 0.5) / TRACES) * 2 ** 32)
          .toString(16)
          .padStart(8, "0")
          .padEnd(31, "0")
          .concat("1");
        if (isRecorded(traceId, isSentRecorded)) count++;
      }
      return count / TRACES;
    };

    const close = (share: number, wanted: number) =>
      assert.ok(Math.abs(share - wanted) < 0.01, `${share}, not ${wanted}`);
    close(shareOf(undefined), shares.fresh);
    close(shareOf(true), shares.recorded);
    close(shareOf(false), shares.unrecorded);
  });

test("a ratio decides like the sampler of OpenTelemetry, so that all programs of a trace agree", () => {
  for (const ratio of [0, 0.001, 0.1, 0.5, 0.999, 1]) {
    const isRecorded = samplerFor(ratio, {});
    const theirs = new TraceIdRatioBasedSampler(ratio);

    for (let i = 0; i < TRACES; i++) {
      const traceId = hexId(16);
      const { decision } = theirs.shouldSample(ROOT_CONTEXT, traceId);
      assert.equal(isRecorded(traceId, undefined), decision === SamplingDecision.RECORD_AND_SAMPLED, traceId);
    }
  }
});
