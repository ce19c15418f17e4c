import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { duration, formText, isCarriableText, stringMap } from "../../core/config/fields.ts";

const about = v.description;

const Otlp = v.looseObject({
  endpoint: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text === "" || isEndpoint(text),
        "must be an http or https URL without a query and without a password",
      ),
      about(
        "base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`; empty: the environment variable `OTEL_EXPORTER_OTLP_ENDPOINT`, if any",
      ),
    ),
    "",
  ),
  headers: v.optional(
    v.pipe(
      stringMap(),
      v.check(
        (headers) => Object.entries(headers).every(([name, value]) => isHeaderName(name) && isCarriableText(value)),
        "must be names and values of HTTP headers",
      ),
      about("headers that are sent to the collector; values may be references such as `${keyring:collector}`"),
    ),
    {},
  ),
  traces: v.optional(v.pipe(v.boolean(), about("send traces")), true),
  sample_ratio: v.optional(
    v.pipe(
      v.number(),
      v.check((ratio) => ratio >= 0 && ratio <= 1, "must be a number from 0 to 1"),
      formText("number from 0 to 1"),
      about(
        "share of the traces without a decision of the client that are recorded; if it is absent, `OTEL_TRACES_SAMPLER` decides, and without that all are recorded",
      ),
    ),
  ),
  metrics: v.optional(v.pipe(v.boolean(), about("send metrics, also while `metrics.enabled` is false")), true),
  metrics_interval: v.optional(
    v.pipe(duration(1000, 3_600_000, "from 1s to 1h"), about("interval between two messages with metrics")),
    "60s",
  ),
});

const isHeaderName = (text: string) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text);

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}

/** Configuration of what is sent to an OpenTelemetry collector. */
export const config = defineConfig(
  {
    otlp: [v.optional(Otlp, {}), hot, "traces and metrics for an OpenTelemetry collector (docs/opentelemetry.md)"],
  },
  { after: "metrics" },
);
