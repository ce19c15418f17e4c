import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ScanVerdict } from "../schema/rule-finding.ts";

/** What scans say of whole servers. */
interface ScanStandings {
  /** In three numbers, computing nothing; undefined where no scan was finished. */
  standingOf(server: string): { verdict: ScanVerdict; risk_score: number; findings: number } | undefined;
  /** Scans what servers list where that was not done since the last listing, so that `known` has it for this caller. */
  refresh(caller: Pick<Caller, "tier">): Promise<void>;
  /** Forgets what a server's integrity is measured by. */
  forget(server: string): Promise<void>;
}

/** No scans, until a module provides them. */
export const scanStandings = part<ScanStandings>("scanStandings", () => ({
  standingOf: () => undefined,
  refresh: async () => {},
  forget: async () => {},
}));
