/** Longest kept line of another program's output. (characters) */
export const MAX_LINE_CHARACTERS = 8192;

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
// Control characters except the tab, line separators, and bidirectional marks.
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A line that is safe to print: colours removed, control characters escaped. */
export function printableLine(text: string): string {
  return text.replace(ESCAPES, "").replace(UNSAFE, (c) => {
    const code = c.charCodeAt(0).toString(16);
    return c.charCodeAt(0) < 256 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/**
 * The lines of a text as they may be kept: split, scrubbed, plain, at most 8 KiB each. Blank ones are left out.
 * The scrubber reads beyond the cut, so that a secret that crosses it is recognised.
 */
export function logLines(text: string, scrub: (text: string) => string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
    .map((line) => cut(printableLine(scrub(line.slice(0, 2 * MAX_LINE_CHARACTERS))), line.length));
}

function cut(line: string, length: number): string {
  if (line.length <= MAX_LINE_CHARACTERS && length <= 2 * MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)}… (truncated, ${length} characters)`;
}
