import type { App } from "../../core/app.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { updates } from "./state.ts";

/** The checks that this module adds to `proxy doctor`. */
export const updateChecks: readonly DoctorCheck[] = [{ name: "update", area: "program", run: newerRelease }];

/** Reports a newer release that the last update check found. No request is made. */
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
