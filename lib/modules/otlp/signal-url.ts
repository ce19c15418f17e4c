/** What can be sent: each signal has a path of its own. */
export const SIGNALS = ["traces", "metrics"] as const;

export type Signal = (typeof SIGNALS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the URL to which a signal is sent; undefined if it is not sent. The configured endpoint takes precedence over
 * the environment.
 *
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ Endpoint URLs for OTLP/HTTP
 */
export function signalUrl(signal: Signal, endpoint: string, env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  const path = `v1/${signal}`;
  if (endpoint !== "") return withPath(endpoint, path);
  const name = signal.toUpperCase();
  const exporter = env[`OTEL_${name}_EXPORTER`] ?? "";
  if (exporter !== "" && exporter !== "otlp") return undefined;
  const override = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] ?? "";
  if (override !== "") return override;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "";
  return base === "" ? undefined : withPath(base, path);
}

function withPath(base: string, path: string): string {
  return base.endsWith("/") ? `${base}${path}` : `${base}/${path}`;
}
