/** Categories of sensitive data (reference 8.3); the configuration can disable each by its name. */
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

/** Severities, least severe first. */
export const SENSITIVE_SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type SensitiveSeverity = (typeof SENSITIVE_SEVERITIES)[number];

/** One piece of sensitive data, described without the data itself. */
export interface SensitiveFinding {
  /** The kind of data, such as `github_pat`, or the name of a custom pattern from the configuration. */
  type: string;
  /** One of `SENSITIVE_CATEGORIES`, or the category that the configuration gives a custom pattern. */
  category: string;
  severity: SensitiveSeverity;
  location: SensitiveLocation;
  /** Whether the value looks like a sample from documentation. */
  is_likely_example: boolean;
}

export type SensitiveLocation = "arguments" | "response";

/** A finding with its position in the text. */
export interface SensitiveMatch extends Omit<SensitiveFinding, "location"> {
  start: number;
  end: number;
}

/** True if a severity is equal to the second one, or higher. */
export function isSeverityAtLeast(severity: SensitiveSeverity, minimum: SensitiveSeverity): boolean {
  return SENSITIVE_SEVERITIES.indexOf(severity) >= SENSITIVE_SEVERITIES.indexOf(minimum);
}

/** Returns the highest severity among findings; undefined if there are none. */
export function worstSeverity(findings: readonly { severity: SensitiveSeverity }[]): SensitiveSeverity | undefined {
  const highest = Math.max(-1, ...findings.map(({ severity }) => SENSITIVE_SEVERITIES.indexOf(severity)));
  return SENSITIVE_SEVERITIES[highest];
}

/** Classes of characters that a reader does not see or that change the display of the text around them. */
export const STRIP_CLASSES = ["ansi", "c0c1", "bidi", "zero_width"] as const;
export type StripClass = (typeof STRIP_CLASSES)[number];
