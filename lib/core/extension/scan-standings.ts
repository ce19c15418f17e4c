import { part } from "../app.ts";
import type { Caller } from "../schema/caller.ts";
import type { ScanVerdict } from "../schema/rule-finding.ts";

/** The scan results of whole servers. */
interface ScanStandings {
  /** Returns a summary of the last finished scan without computing anything; undefined if there is none. */
  standingOf(server: string): { verdict: ScanVerdict; risk_score: number; findings: number } | undefined;
  /** Scans servers whose latest listing is not scanned yet, so that `standingOf` is up to date for this caller. */
  refresh(caller: Pick<Caller, "tier">): Promise<void>;
  /** Removes the baseline of a server's integrity check. */
  forget(server: string): Promise<void>;
}

/** No scans by default; a module provides them. */
export const scanStandings = part<ScanStandings>("scanStandings", () => ({
  standingOf: () => undefined,
  refresh: async () => {},
  forget: async () => {},
}));
