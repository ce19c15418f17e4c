/** Kinds of sensitive data (reference 8.3); each can be switched off by its name. */
export const CATEGORIES = [
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
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One piece of sensitive data, told without the data. */
export interface Finding {
  /** What it is, such as `github_pat`; the name of a pattern of the configuration's own. */
  type: string;
  /** One of `CATEGORIES`, or what the configuration says of its own patterns. */
  category: string;
  severity: Severity;
  location: Location;
  /** It reads like a sample out of documentation. */
  is_likely_example: boolean;
}

export type Location = "arguments" | "response";

/** A finding and where it stands in the text. */
export interface Match extends Omit<Finding, "location"> {
  start: number;
  end: number;
}

export function atLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** Of nothing, nothing. */
export function worst(findings: readonly { severity: Severity }[]): Severity | undefined {
  const most = Math.max(-1, ...findings.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return SEVERITIES[most];
}

/** Characters that a reader does not see or that change what is seen around them. */
export const STRIP_CLASSES = ["ansi", "c0c1", "bidi", "zero_width"] as const;
export type StripClass = (typeof STRIP_CLASSES)[number];
