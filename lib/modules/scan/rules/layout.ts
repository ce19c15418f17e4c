import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, ScannedText } from "../../../core/schema/rule-finding.ts";

/** A run of white space that moves the following text out of sight: characters, and line breaks. */
const BLANK = 150;
const LINES = 20;
/** A longer text is reported (characters). */
const OVERLONG = 8000;
const LONG_NAME = 64;

/** Finds texts whose layout keeps a person from reading their end (rule `layout.*`). */
export function layoutOf({ location, text, kind }: ScannedText): RuleFinding[] {
  const found: RuleFinding[] = [];
  const add = (rule: string, severity: RuleFinding["severity"], at: number, explanation: string) =>
    found.push({ rule, severity, location, excerpt: excerpt(text, at), explanation });
  for (const { 0: run, index } of text.matchAll(/\s{20,}/g)) {
    const end = index + run.length;
    if (end === text.length) continue;
    const lines = run.split("\n").length - 1;
    if (run.length < BLANK && lines < LINES) continue;
    add("layout.padding", "high", end, `${run.length} blank characters, and text after them`);
    break;
  }
  if (text.length > OVERLONG && kind === "prose")
    add("layout.overlong", text.length > 4 * OVERLONG ? "medium" : "low", 0, `${text.length} characters long`);
  if (kind === "name" && text.length > LONG_NAME)
    add("layout.long_name", "low", 0, `a name of ${text.length} characters`);
  const loud = kind === "prose" ? (text.match(/!{3,}/g)?.length ?? 0) : 0;
  const capitals = loud > 0 ? (text.match(/\b[A-Z]{4,}\b/g)?.length ?? 0) : 0;
  if (loud > 0 && capitals >= 5)
    add("layout.shouting", "medium", 0, `${capitals} words in capitals and repeated exclamation marks`);
  return found;
}
