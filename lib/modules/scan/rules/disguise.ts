import { lazy } from "../../../core/base/lazy.ts";
import { type Decoded, MAX_READ, type Traits } from "./codes.ts";
import { isEnglishWord } from "./lexicon.ts";

/** The last word in the name of an encoding that only respells a text. */
export const RESPELT = "letters";

/** Common English words, to recognise shifted and mirrored text. */
const COMMON = [
  "the",
  "and",
  "you",
  "your",
  "all",
  "this",
  "that",
  "with",
  "user",
  "not",
  "before",
  "after",
  "from",
  "into",
  "ignore",
  "read",
  "send",
  "file",
  "tool",
  "call",
  "tell",
  "system",
  "prompt",
  "must",
  "every",
  "instructions",
  "previous",
  "password",
  "contents",
  "field",
  "of",
  "to",
  "it",
  "is",
  "in",
];
const COMMON_WORDS: ReadonlySet<string> = new Set(COMMON);
const MIRRORED = 26;
const BACKWARDS = 27;
/**
 * The encodings under which a word becomes a common one: 1 to 25 is a shift, 26 the mirrored alphabet, 27 the reversed
 * word.
 */
const disguisesByWord = lazy(readDisguises);
/** Number of words that must indicate an encoding before a text is decoded with it. */
const ENOUGH_WORDS = 3;

/** Whether a word in lower case is an English word that the lists contain. */
function isPlainWord(word: string): boolean {
  return COMMON_WORDS.has(word) || isEnglishWord(word);
}

/** Decodes a text whose words are common ones in a shifted or mirrored alphabet, or backwards. */
export function* shiftedIn(text: string): Generator<Decoded> {
  const votes = new Map<number, number>();
  let plain = 0;
  let first = -1;
  let words = 0;
  for (const { 0: word, index } of text.matchAll(/[A-Za-z]{2,14}/g)) {
    if (words++ > 4000) break;
    const lower = word.toLowerCase();
    if (isPlainWord(lower)) plain++;
    const codes = disguisesByWord().get(lower);
    if (!codes) continue;
    if (first < 0) first = index;
    // Short words are common under many encodings, so they count less.
    for (const code of codes) votes.set(code, (votes.get(code) ?? 0) + (word.length > 2 ? 1 : 0.34));
  }
  for (const [code, count] of votes) {
    if (count < ENOUGH_WORDS && !(count >= 2 && plain <= 2)) continue;
    const part = text.slice(0, MAX_READ);
    if (code === BACKWARDS) {
      yield { code: "reversed text", text: [...part].reverse().join(""), at: first };
      yield {
        code: "reversed words",
        text: part.replace(/[A-Za-z]+/g, (word) => [...word].reverse().join("")),
        at: first,
      };
    } else
      yield {
        code: code === MIRRORED ? "mirrored alphabet" : `alphabet shifted by ${code}`,
        text: part.replace(/[A-Za-z]/g, (letter) => unshifted(letter, code)),
        at: first,
      };
  }
}

function readDisguises(): Map<string, number[]> {
  const known = new Map<string, number[]>();
  const add = (word: string, code: number) => {
    if (isPlainWord(word)) return;
    const codes = known.get(word);
    if (codes) codes.push(code);
    else known.set(word, [code]);
  };
  for (const word of COMMON) {
    for (let shift = 1; shift < 26; shift++)
      add(
        word.replace(/[a-z]/g, (letter) => unshifted(letter, 26 - shift)),
        shift,
      );
    add(
      word.replace(/[a-z]/g, (letter) => unshifted(letter, MIRRORED)),
      MIRRORED,
    );
    add([...word].reverse().join(""), BACKWARDS);
  }
  return known;
}

function unshifted(letter: string, code: number): string {
  const base = letter < "a" ? 65 : 97;
  const place = letter.charCodeAt(0) - base;
  return String.fromCharCode(base + (code === MIRRORED ? 25 - place : (place + 26 - code) % 26));
}

const LEET: Record<string, string> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  8: "b",
  9: "g",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
};
const APART = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*/|,·]{1,3}){5,}\p{L}(?![\p{L}])/gu;

/** Restores the letters of a respelled text: spaced letters, digits for letters, words split by marks. */
export function* respeltIn(text: string, traits: Traits): Generator<Decoded> {
  const apart =
    text.match(/(?:[^\s] ){6}/) || text.match(/(?:\p{L}[.\-_*/|,·]){5}/u) ? text.replace(APART, together) : text;
  if (apart !== text) yield { code: `spaced ${RESPELT}`, text: apart, at: text.search(APART) };
  const leet =
    traits.alike > 0 &&
    // It begins at the first two marks of a row at most, or a long row would be read from each mark to its end.
    text.match(/(?<![\w.]|[@$!|]{2})(?=[\w@$!|]*[a-z])(?=[\w@$!|]*[a-z][\d@$!|]+[a-z]|[\d@$|]+[a-z]{2})[\w@$!|]{3,}/gi);
  if (leet && leet.length >= 2)
    yield {
      code: `digits for ${RESPELT}`,
      text: text.replace(/(?<=[a-z])[\d@$!|]+|(?<![\d@$|])[\d@$|]+(?=[a-z])/gi, (digits) =>
        [...digits].map((d) => LEET[d] ?? d).join(""),
      ),
      at: text.indexOf(leet[0]!),
    };
  const marks =
    traits.marks >= 3 &&
    text.match(/\p{L}(?:[-·_*~]|<\/?\w{1,8}>|<!--.{0,20}?-->|\/\*.{0,8}?\*\/|["'`]\s?\+\s?["'`]|\\)\p{L}/gu);
  if (marks && marks.length >= 3)
    yield {
      code: `parted ${RESPELT}`,
      text: text.replace(
        /(?<=\p{L})(?:[-·_*~]|<\/?\w{1,8}>|<!--.{0,20}?-->|\/\*.{0,8}?\*\/|["'`]\s?\+\s?["'`]|\\)(?=\p{L})/gu,
        "",
      ),
      at: text.indexOf(marks[0]!),
    };
}

/** `i g n o r e a l l`: a wider gap separates words; if all gaps are equal, the words are found by the lexicon. */
function together(run: string): string {
  const gaps = run.match(/[^\p{L}]+/gu) ?? [];
  const least = gaps.reduce((min, gap) => Math.min(min, gap.length), 9);
  const wide = gaps.some((gap) => gap.length > least);
  if (wide)
    return run.replace(
      /(\p{L})([^\p{L}]+)/gu,
      (_, letter: string, gap: string) => letter + (gap.length > least ? " " : ""),
    );
  return words(run.replace(/[^\p{L}]/gu, ""));
}

/** Splits a run of letters into the longest known words, so that `ignoreallrules` becomes three. */
function words(run: string): string {
  const lower = run.toLowerCase();
  let out = "";
  for (let at = 0; at < lower.length; ) {
    let length = Math.min(14, lower.length - at);
    while (length > 1 && !isPlainWord(lower.slice(at, at + length))) length--;
    const known = length > 1;
    out += known ? ` ${lower.slice(at, at + length)} ` : lower[at];
    at += length;
  }
  return out;
}
