import { compileLinearPattern } from "../pattern/linear.ts";
import type { ValidationRun } from "./validation-run.ts";

/** Longest expression that is compiled (characters). */
const MAX_SOURCE = 1000;
/**
 * Compiles `pattern` into a function that searches a text in linear time. Texts with characters beyond the Basic
 * Multilingual Plane are not checked, because such characters would count as two.
 *
 * @returns the reason as text if the pattern cannot be used
 */
export function textPattern(source: string): ((text: string, run: ValidationRun) => boolean) | string {
  if (source.length > MAX_SOURCE) return `a pattern of ${source.length} characters is not supported`;
  try {
    const expression = compileLinearPattern(source, { anchors: "text" });
    return (text, run) => {
      if (SURROGATE.test(text)) return run.assume("patterns are not supported on characters beyond U+FFFF");
      return expression.test(text, (steps) => run.spend(steps * STEPS_PER_MATCH_STEP));
    };
  } catch (error) {
    return `the pattern ${JSON.stringify(source.slice(0, 100))} is not supported: ${(error as Error).message}`;
  }
}

const SURROGATE = /[\ud800-\udfff]/;
/** What one step of the matcher costs, in steps of a validation. */
const STEPS_PER_MATCH_STEP = 2;
