import type { RuleReport } from "../../../core/schema/rule-finding.ts";

type Rated = Pick<RuleReport, "verdict" | "risk_score">;

/**
 * A verdict as people read it: `clean` only where nothing was found, `low risk` where what was found is below what a
 * person has to look at.
 */
export function verdictWord({ verdict, risk_score }: Rated): string {
  return verdict === "clean" && risk_score > 0 ? "low risk" : verdict;
}

/** The same with the risk: `clean`, `low risk (36 of 100)`, `dangerous (98 of 100)`. */
export function verdictText(rated: Rated): string {
  const word = verdictWord(rated);
  return word === "clean" ? word : `${word} (${rated.risk_score} of 100)`;
}
