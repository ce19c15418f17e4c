import { type App, part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { DoctorFinding } from "../schema/doctor-shapes.ts";

/** Areas of checks; findings of equal severity are listed in this order. */
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
  /** Named in the finding that reports a check which failed or did not finish in time. */
  readonly name: string;
  readonly area: (typeof CHECK_AREAS)[number];
  /** @returns the findings; the caller's tier decides how much they disclose */
  run(app: App, caller: Pick<Caller, "tier">): readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>;
}

/** The checks that modules add to those of the core. */
export const doctorChecks = part<readonly DoctorCheck[]>("doctorChecks", () => []);
