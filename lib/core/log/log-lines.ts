/** Longer lines of another program's output are cut. (characters) */
export const MAX_LINE_CHARACTERS = 8192;

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
// Control characters except the tab, line separators, and bidirectional marks.
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes a line safe to print: removes colours and escapes control characters. */
export function printableLine(text: string): string {
  return text.replace(ESCAPES, "").replace(UNSAFE, (c) => {
    const code = c.charCodeAt(0).toString(16);
    return c.charCodeAt(0) < 256 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/**
 * Splits a text into lines that may be stored: secrets masked, safe to print, at most 8 KiB each, without blank lines.
 * The scrubber gets more of a line than is kept, so that it recognises a secret at the cut.
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
