import { STRIP_CLASSES, type StripClass } from "../../core/schema/sensitive-finding.ts";

const STRIPPED: Readonly<Record<StripClass, RegExp>> = {
  ansi: /\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[@-Z\\^_])|\u009b[0-?]{0,64}[ -/]{0,16}[@-~]/g,
  c0c1: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g,
  bidi: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  // The default-ignorable characters of Unicode, without the direction marks. One variation selector may follow a
  // character; a sequence of them can carry hidden data.
  zero_width:
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: the class lists combining marks individually
    /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ufe0e\ufe0f](?=[\ufe0e\ufe0f])/gu,
};

/** Length of a piece (characters). */
const PIECE = 32_768;
/** Longest terminal escape sequence (characters). */
const MAX_CODE = 2200;

/** Removes the characters of some classes from a text, a piece at a time. */
export function* stripText(text: string, classes: readonly StripClass[]): Generator<void, string> {
  if (text.length <= PIECE) return stripPiece(text, classes);
  let out = "";
  for (let at = 0; at < text.length; ) {
    if (at > 0) yield;
    const end = partingPlace(text, at, at + PIECE);
    out += stripPiece(text.slice(at, end), classes);
    at = end;
  }
  return out;
}

function stripPiece(text: string, classes: readonly StripClass[]): string {
  let out = text;
  for (const kind of classes) out = out.replace(STRIPPED[kind], "");
  return out;
}

/** A position that splits neither an escape sequence nor a surrogate pair. */
function partingPlace(text: string, from: number, offset: number): number {
  if (offset >= text.length) return text.length;
  const code = Math.max(text.lastIndexOf("\u001b", offset), text.lastIndexOf("\u009b", offset));
  if (code > from && code > offset - MAX_CODE) return code;
  return (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 ? offset - 1 : offset;
}

/** A character that folding can change. */
const FOLDABLE = /[^\t\n\r -~]/;

/**
 * A text as a reader perceives it: without invisible characters, and with letters of other widths and styles as plain
 * letters (NFKC). Returns the same string if nothing changes.
 */
export function foldText(text: string): string {
  return FOLDABLE.test(text) ? stripPiece(text, STRIP_CLASSES).normalize("NFKC") : text;
}
