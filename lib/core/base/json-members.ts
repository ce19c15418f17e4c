import { jsonStringEnd } from "./json-walk.ts";
import { loopShare } from "./loop-share.ts";

const QUOTE = 34;
const COLON = 58;

/** Number of steps after which the clock is read. */
const STEPS = 4096;

/**
 * Counts the members that a valid JSON text contains, in all its objects. A caller compares the number with
 * `countParsedJsonMembers`: if they differ, an object has a key twice. This takes a fraction of the time of another
 * parser.
 */
export async function countWrittenJsonMembers(text: string): Promise<number> {
  const pause = loopShare();
  let members = 0;
  for (let at = 0, step = 0; at < text.length; at++, step++) {
    const c = text.charCodeAt(at);
    if (c === COLON) members++;
    else if (c === QUOTE) at = jsonStringEnd(text, at) - 1;
    if (step === STEPS) {
      step = 0;
      await pause();
    }
  }
  return members;
}

/** Counts the members of a parsed JSON value, in all its objects. */
export async function countParsedJsonMembers(value: unknown): Promise<number> {
  const pause = loopShare();
  const left: unknown[] = [value];
  let members = 0;
  for (let step = 0; left.length > 0; step++) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) members += children.length;
    for (const child of children) if (typeof child === "object" && child !== null) left.push(child);
    if (step === STEPS) {
      step = 0;
      await pause();
    }
  }
  return members;
}
