import { lazy } from "#lib/core/base/lazy.ts";

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const NOTHING = /^[\p{Mark}\p{Cc}\p{Cf}]+$/u;

/** Created on demand: it takes about 10 ms, and ASCII texts do not need it. */
const segmenter = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** Width of a text on a terminal: two columns for East Asian wide characters and emoji, none for combining marks. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter().segment(text)) columns += columnsOf(segment);
  return columns;
}

/** Truncates a text to a number of columns, with `…` if characters were omitted. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let out = "";
  let used = 1;
  for (const { segment } of segmenter().segment(text)) {
    used += columnsOf(segment);
    if (used > columns) break;
    out += segment;
  }
  return columns > 0 ? `${out.trimEnd()}…` : "";
}

/** Pads a text with spaces to a number of columns. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

const columnsOf = (grapheme: string) => (NOTHING.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);
