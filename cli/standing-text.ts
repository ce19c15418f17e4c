import type { ScanOverview } from "#lib/core/schema/scan-overview.ts";
import { verdictWord } from "#lib/modules/scan/rules/verdict-text.ts";

type Standing = Pick<ScanOverview["by_server"][number], "status" | "risk_score">;

/** How a server stands, in a word or two; its risk is in a column of its own. */
export function standingText({ status, risk_score }: Standing): string {
  if (status === "not_scanned" || status === "scanning") return status;
  return verdictWord({ verdict: status, risk_score });
}
