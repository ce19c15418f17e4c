import type { App } from "../../core/app.ts";
import { isLoopbackListener } from "../../core/base/host-port.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { metrics } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const metricsChecks: readonly DoctorCheck[] = [{ name: "metrics", area: "listeners", run: metricsFindings }];

/** Reports a listener for metrics that is not open, or that is open to other machines without a token. */
function metricsFindings(app: App): DoctorFinding[] {
  const { enabled, listen, token } = app.config.current().metrics;
  if (!enabled || listen === "") return [];
  const problem = app.part(metrics).problem();
  if (problem !== undefined)
    return [
      {
        code: "metrics_listener",
        severity: "warning",
        title: `The listener for metrics at ${listen} is not open`,
        detail: problem,
        remedy: { action: "Set metrics.listen to a free address, and metrics.token to a secret that exists" },
      },
    ];
  if (token !== "" || isLoopbackListener(listen)) return [];
  return [
    {
      code: "open_metrics",
      severity: "warning",
      title: `Everybody who can connect to ${listen} can read the metrics`,
      detail: "The metrics contain the names of servers and numbers of calls.",
      remedy: { action: "Set metrics.token, and send it as bearer token in the scrape configuration" },
    },
  ];
}
