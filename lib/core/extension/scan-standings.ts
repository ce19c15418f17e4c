import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ScanVerdict } from "../schema/scan-finding.ts";

/** What scans say of whole servers. */
export interface ScanStandings {
  /** In three numbers, computing nothing; undefined where no scan was finished. */
  known(server: string): { verdict: ScanVerdict; risk_score: number; findings: number } | undefined;
  /** Scans what servers list where that was not done since the last listing, so that `known` has it for this caller. */
  read(caller: Pick<Caller, "tier">): Promise<void>;
  /** Forgets what a server's integrity is measured by. */
  forget(server: string): Promise<void>;
}

/** No scans, until a module provides them. */
export const scanStandings = part<ScanStandings>("scanStandings", () => ({
  known: () => undefined,
  read: async () => {},
  forget: async () => {},
}));
