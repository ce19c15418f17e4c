import { type App, part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { DoctorFinding } from "../schema/doctor-shapes.ts";

/** Areas of checks. Findings of equal severity are sorted in this order. */
export const CHECK_AREAS = [
  "audit",
  "configuration",
  "listeners",
  "secrets",
  "servers",
  "disk",
  "program",
  "isolation",
  "network",
  "registries",
] as const;

/** One check of `proxy doctor`. */
export interface DoctorCheck {
  /** Name for the finding that reports a check which failed or took too long. */
  readonly name: string;
  readonly area: (typeof CHECK_AREAS)[number];
  /** Runs the check. @returns the findings; what they may disclose depends on the caller's tier */
  run(app: App, caller: Pick<Caller, "tier">): readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>;
}

/** The checks that modules add to those of the core. */
export const doctorChecks = part<readonly DoctorCheck[]>("doctorChecks", () => []);
