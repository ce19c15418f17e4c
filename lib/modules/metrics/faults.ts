import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the metrics. */
export const faults = defineFaults({
  metrics_disabled: {
    status: 404,
    text: () => "metrics are disabled; enable them with the configuration key metrics.enabled: true",
  },
});
