import type { Check, KeywordContext } from "../check.ts";
import { describeValues } from "../describe.ts";
import { textPattern } from "../pattern.ts";
import type { ValidationRun } from "../validation-run.ts";
import { countText, isCount } from "./count.ts";
import { CHARACTERS_PER_STEP } from "./spend.ts";

export function minLength(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) >= given ||
    run.fail("minLength", `must have at least ${countText(given, "character")}`, schema);
}

export function maxLength(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) <= given ||
    run.fail("maxLength", `must have at most ${countText(given, "character")}`, schema);
}

export function pattern(given: unknown, { schema }: KeywordContext): Check | undefined {
  if (typeof given !== "string") return undefined;
  const matches = textPattern(given);
  if (typeof matches === "string") return (value, run) => typeof value !== "string" || run.assume(matches);
  return (value, run) =>
    typeof value !== "string" ||
    matches(value, run) ||
    run.fail("pattern", `must match the pattern ${describeValues([given])}`, schema);
}

/**
 * Returns the length of a text in code points. A text with more than twice the limit in UTF-16 units exceeds it in any
 * case, so its units are returned without counting.
 */
function length(text: string, limit: number, run: ValidationRun): number {
  return text.length > 2 * limit + 1 ? text.length : exact(text, run);
}

function exact(text: string, run: ValidationRun): number {
  run.spend(text.length / CHARACTERS_PER_STEP);
  let pairs = 0;
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}
