import type { InferOutput } from "valibot";
import { compileLinearPattern, type LinearPattern } from "../../core/base/pattern/linear.ts";
import { SENSITIVE_CATEGORIES, type SensitiveSeverity } from "../../core/schema/sensitive-finding.ts";
import type { SensitiveData } from "./config-blocks.ts";

/** The configuration members that decide what is detected. */
export type RuleSettings = Pick<Output, "categories" | "entropy_threshold" | "sensitive_keywords"> & {
  readonly custom_patterns: readonly CustomPattern[];
};

type Output = InferOutput<typeof SensitiveData>;

/** A configured pattern; severity and category have defaults. */
type CustomPattern = Pick<Output["custom_patterns"][number], "name" | "regex" | "keywords"> &
  Partial<Pick<Output["custom_patterns"][number], "severity" | "category">>;

/** The compiled rules of the detection. */
export interface Rules {
  off: ReadonlySet<string>;
  entropy: number;
  patterns: readonly { type: string; category: string; severity: SensitiveSeverity; matcher: LinearPattern }[];
  /** Keywords in lower case. */
  keywords: readonly { type: string; category: string; severity: SensitiveSeverity; word: string }[];
}

/** Default category of configured patterns. */
const CUSTOM = "custom";

/** @throws Error for an unsupported expression; validation of the configuration rejects it earlier */
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
