import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { updates } from "./state.ts";

/** What `proxy doctor` checks of this module. */
export const updateChecks: readonly DoctorCheck[] = [{ name: "update", area: "program", run: newerRelease }];

/** A newer release that the last check for updates found. Nothing is fetched. */
function newerRelease(app: App): DoctorFinding[] {
  const update = app.part(updates).latest();
  if (!update?.available || !app.config.current().update_check.enabled) return [];
  return [
    {
      code: "update_available",
      severity: "info",
      title: `Version ${update.latest_version} is available; this is ${app.boot.version}`,
      ...(update.behind_summary !== undefined && { detail: update.behind_summary }),
      remedy: {
        action: update.release_url === undefined ? "Install it" : `Install it from ${update.release_url}`,
        ...(update.update_command !== undefined && { command: update.update_command }),
      },
    },
  ];
}
