import type { ScanOverview } from "#lib/core/schema/scan-overview.ts";
import { verdictWord } from "#lib/modules/scan/rules/verdict-text.ts";

type Standing = Pick<ScanOverview["by_server"][number], "status" | "risk_score">;

/** The verdict about a server in one or two words; its risk has a separate column. */
export function standingText({ status, risk_score }: Standing): string {
  if (status === "not_scanned" || status === "scanning") return status;
  return verdictWord({ verdict: status, risk_score });
}
