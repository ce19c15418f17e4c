import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, RuleSeverity } from "../../../core/schema/rule-finding.ts";
import rows from "./source-patterns.json";

interface Row {
  rule: string;
  severity: RuleSeverity;
  explanation: string;
  /** Source of an expression, searched in a whole file. Every repetition in it is bounded, so that no file takes long. */
  pattern: string;
  flags?: string;
}

/** What programs that steal or load things look like, in the languages that servers are written in. */
// A JSON file's texts have the type string; a test holds the rows to this type.
const PATTERNS = (rows as readonly Row[]).map((row) => ({ ...row, pattern: new RegExp(row.pattern, row.flags) }));

/** Most of one file that is read (characters), and most findings of it. */
const MAX_FILE_CHARACTERS = 512 * 1024;

/** What looks wrong in one file of a program. @param path as it is shown */
export function scanSource(path: string, text: string): RuleFinding[] {
  const read = text.slice(0, MAX_FILE_CHARACTERS);
  return PATTERNS.flatMap(({ rule, severity, explanation, pattern }) => {
    const at = read.search(pattern);
    if (at < 0) return [];
    const line = read.slice(0, at).split("\n").length;
    return [{ rule, severity, location: `${path}:${line}`, excerpt: excerpt(read, at, 120), explanation }];
  });
}
