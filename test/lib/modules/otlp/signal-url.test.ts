import assert from "node:assert/strict";
import { test } from "node:test";
import { type Signal, signalUrl } from "#lib/modules/otlp/signal-url.ts";

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" };

/** The signal, the configured endpoint, the environment, and the URL to which the signal is sent. */
const ROWS: readonly [signal: Signal, endpoint: string, env: Record<string, string>, url: string | undefined][] = [
  ["traces", "", {}, undefined],
  ["traces", "", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, undefined],
  ["traces", "", BASE, "http://c:4318/v1/traces"],
  ["metrics", "", BASE, "http://c:4318/v1/metrics"],
  ["traces", "", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c/otlp/" }, "http://c/otlp/v1/traces"],
  ["traces", "", { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" }, "http://t/x"],
  ["metrics", "", { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" }, "http://c:4318/v1/metrics"],
  ["metrics", "", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m/x" }, "http://m/x"],
  ["traces", "", { ...BASE, OTEL_TRACES_EXPORTER: "none" }, undefined],
  ["metrics", "", { ...BASE, OTEL_TRACES_EXPORTER: "none" }, "http://c:4318/v1/metrics"],
  ["metrics", "", { ...BASE, OTEL_METRICS_EXPORTER: "prometheus" }, undefined],
  ["traces", "", { ...BASE, OTEL_TRACES_EXPORTER: "otlp" }, "http://c:4318/v1/traces"],
  ["traces", "", { ...BASE, OTEL_SDK_DISABLED: "true" }, undefined],
  ["traces", "http://own", BASE, "http://own/v1/traces"],
  ["traces", "http://own", { OTEL_TRACES_EXPORTER: "none" }, "http://own/v1/traces"],
  ["metrics", "http://own", { OTEL_SDK_DISABLED: "TRUE" }, undefined],
];

for (const [signal, endpoint, env, url] of ROWS)
  test(`${signal} with endpoint "${endpoint}" and ${JSON.stringify(env)}: ${url}`, () => {
    assert.equal(signalUrl(signal, endpoint, env), url);
  });
