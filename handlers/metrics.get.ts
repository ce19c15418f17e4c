import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { METRICS_TYPE } from "#lib/modules/metrics/metrics-type.ts";
import { metrics } from "#lib/modules/metrics/state.ts";

/** Metrics for Prometheus; present if `metrics.enabled` is set. */
export default endpoint("GET /metrics", {
  summary: "Get metrics in the text format of Prometheus",
  data: v.pipe(v.string(), v.description("text format 0.0.4 of Prometheus")),
  answers: { json: false, types: ["text/plain"] },
  faults: ["metrics_disabled"],
  async run({ app, c }) {
    const text = await app.part(metrics).text();
    return c.body(text, 200, { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" });
  },
});
