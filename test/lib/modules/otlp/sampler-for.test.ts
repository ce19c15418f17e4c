import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-base";
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
    const found = samplerFor(ratio, env);

    const shareOf = (flags: TraceFlags | undefined) => {
      let count = 0;
      for (let i = 0; i < TRACES; i++) {
        // The ratio is decided by the trace id, so evenly spread ids give the exact share.
        const traceId = Math.floor(((i + 0.5) / TRACES) * 2 ** 32)
          .toString(16)
          .padStart(8, "0")
          .padEnd(31, "0")
          .concat("1");
        const parent =
          flags === undefined
            ? ROOT_CONTEXT
            : trace.setSpanContext(ROOT_CONTEXT, {
                traceId,
                spanId: "b7ad6b7169203331",
                traceFlags: flags,
                isRemote: true,
              });
        const { decision } = found.shouldSample(parent, traceId, "s", SpanKind.SERVER, {}, []);
        if (decision === SamplingDecision.RECORD_AND_SAMPLED) count++;
      }
      return count / TRACES;
    };

    const close = (share: number, wanted: number) =>
      assert.ok(Math.abs(share - wanted) < 0.01, `${share}, not ${wanted}`);
    close(shareOf(undefined), shares.fresh);
    close(shareOf(TraceFlags.SAMPLED), shares.recorded);
    close(shareOf(TraceFlags.NONE), shares.unrecorded);
  });
