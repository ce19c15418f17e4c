import type { RuleFinding as Found, RuleReport } from "../schema/rule-finding.ts";

/** One thing the scan noticed, for a model: it holds nothing of the text it was found in. */
export interface FindingSummary {
  check: string;
  severity: Found["severity"];
  /** Members of the definition it was found in. */
  in: string[];
  count: number;
  meaning: string;
}

/** Members of a definition; where exactly within one may be a name that its author chose. */
const MEMBER = /^[a-zA-Z]+/;

/** A scan's findings by rule, with what an upstream wrote left out: neither excerpts nor the names of parameters. */
export function summariseFindings({ findings }: RuleReport): FindingSummary[] {
  const byRule = new Map<string, FindingSummary>();
  for (const { rule, severity, location, explanation } of findings) {
    const member = MEMBER.exec(location)?.[0] ?? "";
    const known = byRule.get(rule);
    if (!known) byRule.set(rule, { check: rule, severity, in: [member], count: 1, meaning: explanation });
    else {
      known.count++;
      if (!known.in.includes(member)) known.in.push(member);
    }
  }
  return [...byRule.values()];
}
