import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { otlp } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const otlpChecks: readonly DoctorCheck[] = [{ name: "otlp", area: "listeners", run: otlpFindings }];

const NOUNS = { traces: "spans", metrics: "data points" } as const;

/** Reports a collector that does not accept what is sent, or that cannot be used at all. */
function otlpFindings(app: App): DoctorFinding[] {
  const { status, problem } = app.part(otlp);
  const reason = problem();
  if (reason !== undefined)
    return [
      finding({
        code: "otlp_unusable",
        title: "Traces and metrics are not sent to the collector",
        detail: reason,
        action: "Set otlp.endpoint, and otlp.headers to secrets that exist",
      }),
    ];
  return status().flatMap(({ signal, url, lost, problem: detail }) =>
    detail === undefined
      ? []
      : [
          finding({
            code: "otlp_lost",
            title: `The collector at ${url} does not accept ${signal}; ${lost} ${NOUNS[signal]} were lost`,
            detail,
            action: "Start the collector, or set otlp.endpoint and otlp.headers to what it expects",
          }),
        ],
  );
}

function finding({
  code,
  title,
  detail,
  action,
}: Record<"code" | "title" | "detail" | "action", string>): DoctorFinding {
  return { code, severity: "warning", title, detail, remedy: { action } };
}
