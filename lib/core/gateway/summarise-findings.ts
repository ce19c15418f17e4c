import type { FindingSummary } from "../schema/review-notice.ts";
import type { RuleReport } from "../schema/rule-finding.ts";

/**
 * Matches the first part of a finding's location. The parts below it may contain names that the tool's author chose.
 */
const MEMBER = /^[a-zA-Z]+/;

/** Groups the findings of a scan by rule, without text of the upstream: no excerpts and no parameter names. */
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
