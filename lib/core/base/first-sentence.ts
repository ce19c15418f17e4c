/** Longest first sentence (characters, as code points). */
const MAX_SENTENCE = 200;

const ENDS = ".!?";
/** Ends of sentences that no white space follows. */
const WIDE_ENDS = "。！？";
/** What may follow the end of a sentence; a dot before anything else belongs to a number, a name or an address. */
const AFTER = " \t\n\r\v\f\u0085\u00a0\"')]}";

/**
 * The first sentence of a text, at most 200 characters; a longer one is cut and ends in "…" (spec 001 §4.1, compact
 * mode). A text of white space only is empty.
 */
export function firstSentence(text: string): string {
  if (text.trim() === "") return "";
  const { end, cut } = sentence(text);
  return text.slice(0, end) + (cut ? "…" : "");
}

/** Where the first sentence of a text ends, or its first 200 characters (UTF-16 offset). */
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
