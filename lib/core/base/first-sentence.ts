/** Longest first sentence (characters, as code points). */
const MAX_SENTENCE = 200;

const ENDS = ".!?";
/** Characters that end a sentence even if no white space follows. */
const WIDE_ENDS = "。！？";
/**
 * Characters that may follow the end of a sentence. A dot before any other character is part of a number, a name or an
 * address.
 */
const AFTER = " \t\n\r\v\f\u0085\u00a0\"')]}";

/**
 * Returns the first sentence of a text, at most 200 characters; a longer one is cut and ends in "…" (spec 001 §4.1,
 * compact mode). The result is empty if the text is only white space.
 */
export function firstSentence(text: string): string {
  if (text.trim() === "") return "";
  const { end, cut } = sentence(text);
  return text.slice(0, end) + (cut ? "…" : "");
}

/** Returns where the first sentence of a text ends, or its first 200 characters (UTF-16 offset). */
export function sentenceEnd(text: string): number {
  return sentence(text).end;
}

function sentence(text: string): { end: number; cut: boolean } {
  let count = 0;
  let end = 0;
  for (const char of text) {
    if (count++ === MAX_SENTENCE) return { end, cut: true };
    end += char.length;
    if (WIDE_ENDS.includes(char)) return { end, cut: false };
    if (ENDS.includes(char) && (end === text.length || AFTER.includes(text[end]!))) return { end, cut: false };
  }
  return { end, cut: false };
}
