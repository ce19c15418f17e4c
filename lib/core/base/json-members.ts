import { jsonStringEnd } from "./json-walk.ts";
import { loopShare } from "./loop-share.ts";

const QUOTE = 34;
const COLON = 58;

/** Number of steps between two readings of the clock. */
const STEPS = 4096;

/**
 * How many members the objects of a valid JSON text have, as it is written. Together with `countParsedJsonMembers` it finds a key
 * given twice in a fraction of the time that another parser would take.
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

/** How many members the objects of a parsed JSON value have. */
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
