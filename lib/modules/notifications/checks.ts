import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import type { ChannelStatus } from "./channel-status.ts";
import { notifications } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const notificationChecks: readonly DoctorCheck[] = [
  { name: "notifications", area: "audit", run: notificationFindings },
];

/** Losses within this time are reported (ms). */
const REPORTED_MS = 7 * 86_400_000;

/** Reports channels that cannot send, and notices that were lost. */
function notificationFindings(app: App): DoctorFinding[] {
  if (app.config.current().notifications.channels.length === 0) return [];
  const now = app.clock.now();
  return app
    .part(notifications)
    .list()
    .flatMap((status) => [...failing(status), ...lost(status, now)]);
}

function failing({ name, state, problem, waiting }: ChannelStatus): DoctorFinding[] {
  if (state !== "failing") return [];
  return [
    {
      code: "notification_failing",
      severity: "warning",
      title: `The notification channel ${name} cannot send: ${problem}`,
      detail: `${waiting} notice(s) wait. The proxy keeps trying for a day, and calls are not affected.`,
      remedy: { action: "Correct the channel's settings", command: `proxy notifications test ${name}` },
    },
  ];
}

function lost({ name, lost: count, last_lost_at }: ChannelStatus, now: number): DoctorFinding[] {
  if (last_lost_at === undefined || now - Date.parse(last_lost_at) >= REPORTED_MS) return [];
  return [
    {
      code: "notifications_lost",
      severity: "warning",
      title: `${count} notice(s) of the channel ${name} were never sent`,
      detail: "They could not be sent for a day, or too many waited.",
      remedy: { action: "Read what was missed in the panel; correct the channel's settings" },
    },
  ];
}
