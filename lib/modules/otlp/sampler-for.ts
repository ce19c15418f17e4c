import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns what decides whether a trace is recorded. A configured ratio takes precedence over `OTEL_TRACES_SAMPLER`. The
 * samplers whose names begin with `parentbased_`, and the ratio, follow the client's decision if there is one.
 */
export function samplerFor(ratio: number | undefined, env: Environment): Sampler {
  if (ratio !== undefined) return followingClient(new TraceIdRatioBasedSampler(ratio));
  switch (env.OTEL_TRACES_SAMPLER) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratioOf(env));
    case "parentbased_always_off":
      return followingClient(new AlwaysOffSampler());
    case "parentbased_traceidratio":
      return followingClient(new TraceIdRatioBasedSampler(ratioOf(env)));
    default:
      return followingClient(new AlwaysOnSampler());
  }
}

const followingClient = (root: Sampler) => new ParentBasedSampler({ root });

/** An argument that is missing or not valid means 1, as OpenTelemetry specifies. */
function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text = "" }: Environment): number {
  const ratio = Number(text);
  return text !== "" && ratio >= 0 && ratio <= 1 ? ratio : 1;
}
