import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, RuleSeverity } from "../../../core/schema/rule-finding.ts";
import rows from "./source-patterns.json";

interface Row {
  rule: string;
  severity: RuleSeverity;
  explanation: string;
  /**
   * Source of an expression, applied to a complete file. Every repetition in it is bounded, so that each file takes
   * linear time.
   */
  pattern: string;
  flags?: string;
}

/** Patterns of programs that steal data or load code, in the languages of servers. */
// TypeScript types the texts of a JSON file as string; a test checks that the rows have this type.
const PATTERNS = (rows as readonly Row[]).map((row) => ({ ...row, pattern: new RegExp(row.pattern, row.flags) }));

/** Maximum length of a file that is read (characters), and maximum number of its findings. */
const MAX_FILE_CHARACTERS = 512 * 1024;

/** Finds suspicious code in one file of a program. @param path for the findings */
export function scanSource(path: string, text: string): RuleFinding[] {
  const read = text.slice(0, MAX_FILE_CHARACTERS);
  return PATTERNS.flatMap(({ rule, severity, explanation, pattern }) => {
    const at = read.search(pattern);
    if (at < 0) return [];
    const line = read.slice(0, at).split("\n").length;
    return [{ rule, severity, location: `${path}:${line}`, excerpt: excerpt(read, at, 120), explanation }];
  });
}
