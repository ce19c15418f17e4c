import type { RuleReport } from "../../../core/schema/rule-finding.ts";

type Rated = Pick<RuleReport, "verdict" | "risk_score">;

/** A verdict for people: `clean` only without findings, and `low risk` if the findings need no review. */
export function verdictWord({ verdict, risk_score }: Rated): string {
  return verdict === "clean" && risk_score > 0 ? "low risk" : verdict;
}

/** A verdict with the risk: `clean`, `low risk (36 of 100)`, `dangerous (98 of 100)`. */
export function verdictText(rated: Rated): string {
  const word = verdictWord(rated);
  return word === "clean" ? word : `${word} (${rated.risk_score} of 100)`;
}
