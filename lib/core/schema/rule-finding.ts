/** Severities of findings, worst first. */
export const RULE_SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type RuleSeverity = (typeof RULE_SEVERITIES)[number];

/** One suspicious property of a text. */
export interface RuleFinding {
  rule: string;
  severity: RuleSeverity;
  /** Location in the definition: `description`, `inputSchema.properties.path.default`, `instructions`. */
  location: string;
  /** A piece of the scanned text with invisible characters made visible. It is shown to people, never to models. */
  excerpt: string;
  /** An explanation without any scanned text. */
  explanation: string;
}

export type ScanVerdict = "clean" | "suspicious" | "dangerous";

/** The result of a scan of one tool or one server. */
export interface RuleReport {
  verdict: ScanVerdict;
  /** From 0 (no risk) to 100. */
  risk_score: number;
  findings: RuleFinding[];
  /** False if the texts were too long to be scanned completely. */
  complete: boolean;
}

/** A text and its location. */
export interface ScannedText {
  readonly location: string;
  readonly text: string;
  /** `name`: a word that identifies a tool; `value`: data, such as an example; `prose`: any other text. */
  readonly kind: "name" | "prose" | "value";
}

/** Keeps one finding for each rule and location: the most severe one. */
export function worstRuleFindings(findings: readonly RuleFinding[]): RuleFinding[] {
  const strongest = new Map<string, RuleFinding>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.location}`;
    const before = strongest.get(key);
    if (!before || bySeverity(finding, before) < 0) strongest.set(key, finding);
  }
  return [...strongest.values()];
}

/** Maximum number of findings reported for one tool. Further findings still count towards the score. */
const MAX_TOLD = 50;

/** How much one finding of each severity contributes to the risk score (0 to 1). */
const WEIGHT: Record<RuleSeverity, number> = { critical: 0.9, high: 0.7, medium: 0.45, low: 0.2, info: 0.03 };

/** Scores of at least this value (of 100) make a tool suspicious, so that a person has to review it. */
const SUSPICIOUS = 45;
const DANGEROUS = 70;

/**
 * Combines findings into a report. Each rule counts once, with its most severe finding. Independent rules reinforce
 * each other: two weak signs score more than one, but never more than 100.
 */
export function sumUpRuleFindings(findings: readonly RuleFinding[], complete: boolean): RuleReport {
  const weights = new Map<string, number>();
  for (const { rule, severity } of findings) weights.set(rule, Math.max(weights.get(rule) ?? 0, WEIGHT[severity]));
  let harmless = 1;
  for (const weight of weights.values()) harmless *= 1 - weight;
  const risk = Math.round((1 - harmless) * 100);
  // A text that was not scanned completely is never rated clean.
  const verdict = risk >= DANGEROUS ? "dangerous" : risk >= SUSPICIOUS || !complete ? "suspicious" : "clean";
  return { verdict, risk_score: risk, findings: [...findings].sort(bySeverity).slice(0, MAX_TOLD), complete };
}

function bySeverity(a: RuleFinding, b: RuleFinding): number {
  return RULE_SEVERITIES.indexOf(a.severity) - RULE_SEVERITIES.indexOf(b.severity);
}
