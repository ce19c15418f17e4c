import { undisguised } from "./confusable.ts";

const FORMAT = /\p{Cf}|\p{Variation_Selector}|\u034f/gu;

/**
 * Normalises a text to what a reader understands: one form of each letter, no invisible characters, lower case, and
 * look-alikes in Latin words replaced by the letters that they imitate.
 */
export function normalised(text: string): string {
  const lower = text.slice(0, 2 * MAX_SENTENCE_CHARACTERS).toLowerCase();
  if (PLAIN.test(lower)) return lower.replace(/\s+/g, " ");
  return undisguised(
    text
      .normalize("NFKC")
      .slice(0, 2 * MAX_SENTENCE_CHARACTERS)
      .replace(FORMAT, ""),
  )
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/\s+/g, " ");
}

const PLAIN = /^[\x00-\x7f]*$/;

/** Longest piece that is treated as one sentence, and its overlap with the next piece (characters). */
const MAX_SENTENCE_CHARACTERS = 480;
const OVERLAP = 80;

/** The end of a sentence: a full stop before white space, an empty line, or a line that starts a list item. */
const ENDS =
  /(?<=[.!?;]["')\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|incl|resp)\.)\s+|(?<=[。！？；])|\n\s{0,40}\n|\n(?=[ \t]{0,8}(?:[-*#<•]|\d+[.)]|[A-Z]))/g;

/** Characters of which every match contains one; most names and values have none. */
const MAY_END = /[.!?;。！？；\n]/;

/** The sentences of a text with their positions. Overlong ones are returned in overlapping pieces. */
export function* sentences(text: string): Generator<{ at: number; sentence: string }> {
  let from = 0;
  const piece = function* (to: number) {
    for (let at = from; at < to; at += MAX_SENTENCE_CHARACTERS - OVERLAP) {
      const sentence = text.slice(at, Math.min(to, at + MAX_SENTENCE_CHARACTERS));
      if (sentence.length > 5 && /\S/.test(sentence)) yield { at, sentence };
      if (at + MAX_SENTENCE_CHARACTERS >= to) break;
    }
  };
  if (MAY_END.test(text))
    for (const { index, 0: end } of text.matchAll(ENDS)) {
      yield* piece(index);
      from = index + end.length;
    }
  yield* piece(text.length);
}
