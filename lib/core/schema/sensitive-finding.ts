/** Kinds of sensitive data (reference 8.3); each can be switched off by its name. */
export const SENSITIVE_CATEGORIES = [
  "cloud_credentials",
  "private_key",
  "api_token",
  "auth_token",
  "database_credential",
  "credit_card",
  "bank_account",
  "high_entropy",
  "sensitive_file",
] as const;

/** Mildest first. */
export const SENSITIVE_SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type SensitiveSeverity = (typeof SENSITIVE_SEVERITIES)[number];

/** One piece of sensitive data, told without the data. */
export interface SensitiveFinding {
  /** What it is, such as `github_pat`; the name of a pattern of the configuration's own. */
  type: string;
  /** One of `CATEGORIES`, or what the configuration says of its own patterns. */
  category: string;
  severity: SensitiveSeverity;
  location: SensitiveLocation;
  /** It reads like a sample out of documentation. */
  is_likely_example: boolean;
}

export type SensitiveLocation = "arguments" | "response";

/** A finding and where it stands in the text. */
export interface SensitiveMatch extends Omit<SensitiveFinding, "location"> {
  start: number;
  end: number;
}

export function isSeverityAtLeast(severity: SensitiveSeverity, least: SensitiveSeverity): boolean {
  return SENSITIVE_SEVERITIES.indexOf(severity) >= SENSITIVE_SEVERITIES.indexOf(least);
}

/** Of nothing, nothing. */
export function worstSeverity(findings: readonly { severity: SensitiveSeverity }[]): SensitiveSeverity | undefined {
  const most = Math.max(-1, ...findings.map(({ severity }) => SENSITIVE_SEVERITIES.indexOf(severity)));
  return SENSITIVE_SEVERITIES[most];
}

/** Characters that a reader does not see or that change what is seen around them. */
export const STRIP_CLASSES = ["ansi", "c0c1", "bidi", "zero_width"] as const;
export type StripClass = (typeof STRIP_CLASSES)[number];
