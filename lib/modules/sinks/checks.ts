import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import type { SinkStatus } from "./sink-status.ts";
import { recordSinks } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const sinkChecks: readonly DoctorCheck[] = [{ name: "sinks", area: "audit", run: sinkFindings }];

/** Reports sinks that cannot deliver, and records that they did not deliver. */
async function sinkFindings(app: App): Promise<DoctorFinding[]> {
  if (app.config.current().sinks.length === 0) return [];
  return (await app.part(recordSinks).list()).flatMap((status) => [
    ...failing(status),
    ...undelivered(status, app.clock.now()),
  ]);
}

function failing({ name, state, problem, waiting }: SinkStatus): DoctorFinding[] {
  if (state !== "failing") return [];
  return [
    {
      code: "sink_failing",
      severity: "warning",
      title: `The sink ${name} cannot deliver records: ${problem}`,
      detail: `${waiting} record(s) wait. The proxy keeps trying, and calls are not affected. Records that wait longer than the retention (activity_retention_days, activity_max_records) are lost.`,
      remedy: { action: "Correct the sink's settings or its receiver", command: `proxy sinks test ${name}` },
    },
  ];
}

/** Records that were lost or rejected within this time are reported (ms). */
const REPORTED_MS = 7 * 86_400_000;

function undelivered(
  { name, lost, last_lost_at, rejected, last_rejected_at, rejected_file }: SinkStatus,
  now: number,
): DoctorFinding[] {
  const isRecent = (time: string | undefined) => time !== undefined && now - Date.parse(time) < REPORTED_MS;
  const findings: DoctorFinding[] = [];
  if (isRecent(last_lost_at))
    findings.push({
      code: "sink_lost_records",
      severity: "warning",
      title: `${lost} record(s) never reached the receiver of the sink ${name}`,
      detail:
        "They were removed by the retention before the receiver accepted them, or it rejected them and the file for rejected records was full.",
      remedy: {
        action:
          "Keep activity for longer than the outages of the receiver (activity_max_records), and empty the file of rejected records",
      },
    });
  if (isRecent(last_rejected_at))
    findings.push({
      code: "sink_rejected_records",
      severity: "warning",
      title: `The receiver of the sink ${name} rejected ${rejected} record(s)`,
      remedy: { action: `Read the reasons in ${rejected_file}` },
    });
  return findings;
}
