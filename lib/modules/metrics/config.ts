import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";
import { ListenAddress } from "../../core/config/network.ts";

const about = v.description;

const Metrics = v.looseObject({
  enabled: v.optional(
    v.pipe(v.boolean(), about("measure, and serve `GET /metrics` to administrators in the text format of Prometheus")),
    false,
  ),
  listen: v.optional(
    v.pipe(
      ListenAddress,
      about("address of an additional HTTP listener that serves only `/metrics`; empty: there is none"),
    ),
    "",
  ),
  token: v.optional(
    v.pipe(
      v.string(),
      about(
        "bearer token that the additional listener requires; it is not valid anywhere else; may be a reference such as `${keyring:metrics}`",
      ),
    ),
    "",
  ),
  tool_labels: v.optional(
    v.pipe(v.boolean(), about("distinguish the calls of each tool by the label `gen_ai_tool_name`")),
    false,
  ),
});

/** Configuration of the metrics. */
export const config = defineConfig(
  {
    metrics: [v.optional(Metrics, {}), hot, "metrics for Prometheus (docs/metrics.md)"],
  },
  { after: "logging" },
);
