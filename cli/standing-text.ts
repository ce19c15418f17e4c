import { verdictWord } from "#lib/scan/verdict-text.ts";
import type { ScanOverview } from "#lib/scanner/overview.ts";

type Standing = Pick<ScanOverview["by_server"][number], "status" | "risk_score">;

/** How a server stands, in a word or two; its risk is in a column of its own. */
export function standingText({ status, risk_score }: Standing): string {
  if (status === "not_scanned" || status === "scanning") return status;
  return verdictWord({ verdict: status, risk_score });
}
