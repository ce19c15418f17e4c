type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides whether a trace is recorded.
 *
 * @param isSentRecorded the client's decision; undefined if it sent no trace context
 */
export type Sampler = (traceId: string, isSentRecorded: boolean | undefined) => boolean;

/**
 * Returns the sampler that the configuration or the environment wants. A configured ratio takes precedence over
 * `OTEL_TRACES_SAMPLER`. The samplers whose names begin with `parentbased_`, and the ratio, follow the client's decision
 * if there is one.
 */
export function samplerFor(ratio: number | undefined, env: Environment): Sampler {
  if (ratio !== undefined) return followingClient(shareOf(ratio));
  switch (env.OTEL_TRACES_SAMPLER) {
    case "always_on":
      return always;
    case "always_off":
      return never;
    case "traceidratio":
      return shareOf(ratioOf(env));
    case "parentbased_always_off":
      return followingClient(never);
    case "parentbased_traceidratio":
      return followingClient(shareOf(ratioOf(env)));
    default:
      return followingClient(always);
  }
}

const always: Sampler = () => true;
const never: Sampler = () => false;

function followingClient(own: Sampler): Sampler {
  return (traceId, isSentRecorded) => isSentRecorded ?? own(traceId, undefined);
}

/** Decides by the trace id as OpenTelemetry's own sampler does, so that all programs of a trace decide alike. */
function shareOf(ratio: number): Sampler {
  if (ratio >= 1) return always;
  const bound = Math.floor(Math.max(0, ratio) * 0xffffffff);
  return (traceId) => {
    let mixed = 0;
    for (let at = 0; at < 32; at += 8) mixed ^= Number.parseInt(traceId.slice(at, at + 8), 16);
    return mixed >>> 0 < bound;
  };
}

/** An argument that is missing or not valid means 1, as OpenTelemetry specifies. */
function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text = "" }: Environment): number {
  const ratio = Number(text);
  return text !== "" && ratio >= 0 && ratio <= 1 ? ratio : 1;
}
