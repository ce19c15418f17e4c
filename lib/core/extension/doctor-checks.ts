import { type App, part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { DoctorFinding } from "../schema/doctor-shapes.ts";

/** What checks are about; findings of equal severity are listed in this order. */
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

/** One of the things that `proxy doctor` checks. */
export interface DoctorCheck {
  /** Named in the finding that reports a check which failed or did not finish in time. */
  readonly name: string;
  readonly area: (typeof CHECK_AREAS)[number];
  /** @returns what is wrong; the caller's tier decides how much may be said */
  run(app: App, caller: Pick<Caller, "tier">): readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>;
}

/** The checks that modules add to those of the core. */
export const doctorChecks = part<readonly DoctorCheck[]>("doctorChecks", () => []);
