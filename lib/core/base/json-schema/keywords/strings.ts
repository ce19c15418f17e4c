import type { Check, Compiling } from "../check.ts";
import { listed } from "../describe.ts";
import { textPattern } from "../pattern.ts";
import type { Run } from "../run.ts";
import { counted, isCount } from "./count.ts";
import { CHARACTERS_PER_STEP } from "./weigh.ts";

export function minLength(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) >= given ||
    run.fail("minLength", `must have at least ${counted(given, "character")}`, schema);
}

export function maxLength(given: unknown, { schema }: Compiling): Check | undefined {
  if (!isCount(given)) return undefined;
  return (value, run) =>
    typeof value !== "string" ||
    length(value, given, run) <= given ||
    run.fail("maxLength", `must have at most ${counted(given, "character")}`, schema);
}

export function pattern(given: unknown, { schema }: Compiling): Check | undefined {
  if (typeof given !== "string") return undefined;
  const matches = textPattern(given);
  if (typeof matches === "string") return (value, run) => typeof value !== "string" || run.assume(matches);
  return (value, run) =>
    typeof value !== "string" ||
    matches(value, run) ||
    run.fail("pattern", `must match the pattern ${listed([given])}`, schema);
}

/** In code points; those are counted only where the limit lies between what it may be at least and at most. */
function length(text: string, limit: number, run: Run): number {
  if (text.length <= limit || text.length > 2 * limit + 1) return text.length > limit ? text.length : exact(text, run);
  return exact(text, run);
}

function exact(text: string, run: Run): number {
  run.spend(text.length / CHARACTERS_PER_STEP);
  let pairs = 0;
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}
