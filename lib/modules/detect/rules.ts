import { compileLinearPattern, type LinearPattern } from "../../core/base/pattern/linear.ts";
import { SENSITIVE_CATEGORIES, type SensitiveSeverity } from "../../core/schema/sensitive-finding.ts";

/** The part of the configuration that says what is looked for. */
export interface RuleSettings {
  /** Those that are false are not looked for. */
  categories: Readonly<Record<string, unknown>>;
  /** Bits a character. */
  entropy_threshold: number;
  custom_patterns: readonly CustomPattern[];
  /** Words of the operator's own. */
  sensitive_keywords: readonly string[];
}

interface CustomPattern {
  name: string;
  regex?: string | undefined;
  keywords?: readonly string[] | undefined;
  severity?: SensitiveSeverity | undefined;
  category?: string | undefined;
}

/** What to look for, made ready once. */
export interface Rules {
  off: ReadonlySet<string>;
  entropy: number;
  patterns: readonly { type: string; category: string; severity: SensitiveSeverity; matcher: LinearPattern }[];
  /** In small letters. */
  keywords: readonly { type: string; category: string; severity: SensitiveSeverity; word: string }[];
}

/** What the operator's own are called unless they say so. */
const CUSTOM = "custom";

/** @throws Error of an expression that cannot be used; the configuration refuses it before */
export function compileRules(settings: RuleSettings): Rules {
  const { categories, entropy_threshold: entropy, custom_patterns: custom, sensitive_keywords } = settings;
  const facts = ({ name, severity = "medium", category = CUSTOM }: CustomPattern) => ({
    type: name,
    category,
    severity,
  });
  const words = (list: readonly string[]) => list.map((word) => word.toLowerCase()).filter((word) => word !== "");
  return {
    off: new Set([...SENSITIVE_CATEGORIES, CUSTOM].filter((category) => categories[category] === false)),
    entropy,
    patterns: custom.flatMap((pattern) =>
      pattern.regex === undefined ? [] : [{ ...facts(pattern), matcher: compileLinearPattern(pattern.regex) }],
    ),
    keywords: [
      ...custom.flatMap((pattern) => words(pattern.keywords ?? []).map((word) => ({ ...facts(pattern), word }))),
      ...words(sensitive_keywords).map((word) => ({ ...facts({ name: "sensitive_keyword", severity: "high" }), word })),
    ],
  };
}
