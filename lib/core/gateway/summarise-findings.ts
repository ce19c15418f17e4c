import type { FindingSummary } from "../schema/review-notice.ts";
import type { RuleReport } from "../schema/rule-finding.ts";

/** Members of a definition; paths below them may contain names that its author chose. */
const MEMBER = /^[a-zA-Z]+/;

/** A scan's findings by rule, without text from the upstream: no excerpts and no parameter names. */
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
