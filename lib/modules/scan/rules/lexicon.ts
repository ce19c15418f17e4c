import { asset } from "../../../core/base/asset.ts";
import { lazy } from "../../../core/base/lazy.ts";
import { WordTable } from "./word-table.ts";
import { CONCEPTS, type Concept, LANGUAGE_NAMES, type LanguageName } from "./words/concepts.ts";

/** Positions of the words of a concept in a text: pairs of start and end (UTF-16 offsets), in order. */
export type Spans = number[];
export type Hits = (Spans | undefined)[];

export const CONCEPT_ID = Object.fromEntries(CONCEPTS.map((concept, id) => [concept, id])) as Record<Concept, number>;

const ENGLISH = LANGUAGE_NAMES.indexOf("en");

/** The words of all lists, and those about attacks. The build makes both tables (`make-lexicon.ts`). */
const allWords = lazy(() => new WordTable(asset("scan-words.bin")));
const attackWords = lazy(() => new WordTable(asset("scan-attack-words.bin")));

/**
 * Normalises a text for look-ups: lower case, without accents and other marks. The words of the lexicon are normalised
 * in the same way.
 */
export function plainForm(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/(?<![\u3040-\u30ff])\p{M}+/gu, "")
    .normalize("NFC")
    .replace(/ł/g, "l")
    .replace(/ı/g, "i")
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}

/**
 * Finds the concepts in a text, in linear time: from each start of a word it follows the longest phrase of the lexicon.
 *
 * Words of another language in Latin letters count only if the text has at least as many common words of it as of
 * English, because many mean something else in English ("die", "cache").
 *
 * @param text in plain form
 */
export function conceptsIn(text: string): Hits {
  const found: number[] = [];
  const common = new Array<number>(LANGUAGE_NAMES.length).fill(0);
  walk(text, allWords(), found, common);
  const hits: Hits = [];
  const english = common[ENGLISH]!;
  for (let i = 0; i < found.length; i += 4) {
    const language = found[i]!;
    if (LATIN.has(language) && common[language]! < english) continue;
    const concept = found[i + 1]!;
    const spans = hits[concept];
    if (spans) {
      if (spans.length < MAX_SPANS) spans.push(found[i + 2]!, found[i + 3]!);
    } else hits[concept] = [found[i + 2]!, found[i + 3]!];
  }
  return hits;
}

/**
 * Whether a text names attacks at least `times` times.
 *
 * @param text in plain form
 */
export function namesAttacks(text: string, times: number): boolean {
  const found: number[] = [];
  walk(text, attackWords(), found, []);
  // Most texts name none. Others are checked with all word lists, because the count depends on the language.
  return found.length >= 4 * times && (conceptsIn(text)[CONCEPT_ID.attack]?.length ?? 0) >= 2 * times;
}

/** Whether the lexicon contains a complete English word. @param word in plain form */
export function isEnglishWord(word: string): boolean {
  const words = allWords();
  let node = 0;
  for (let i = 0; i < word.length; i++) {
    node = words.following(node, word.charCodeAt(i));
    if (node === 0) return false;
  }
  for (let meaning = words.wholeAt(node); meaning !== 0; meaning = words.meaningAfter(meaning))
    if (words.valueOf(meaning) >> CONCEPT_BITS === ENGLISH) return true;
  return false;
}

function walk(text: string, words: WordTable, found: number[], common: number[]): void {
  const length = text.length;
  let inWord = false;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    const starts = kind === ANYWHERE || (kind === LETTER && !inWord) || code === DOT;
    const glued = inWord && isClitic(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at - 2));
    inWord = kind === LETTER;
    if (!starts && !glued) continue;
    let node = words.following(0, code);
    for (let end = at + 1; node !== 0; end++) {
      const part = words.partAt(node);
      if (part !== 0) note(words, part, found, at, end, common);
      const whole = words.wholeAt(node);
      if (whole !== 0 && (end === length || kindOf(text.charCodeAt(end)) !== LETTER))
        note(words, whole, found, at, end, common);
      if (end === length) break;
      node = words.following(node, text.charCodeAt(end));
    }
  }
}

/** Maximum number of stored positions of one concept in a text (two numbers for each occurrence). */
const MAX_SPANS = 32;

const LATIN_NAMES: readonly LanguageName[] = ["de", "fr", "es", "pt", "it", "nl", "pl", "tr"];
const LATIN = new Set(LATIN_NAMES.map((name) => LANGUAGE_NAMES.indexOf(name)));
const COMMON = CONCEPT_ID.common;

function note(words: WordTable, first: number, found: number[], at: number, end: number, common: number[]): void {
  for (let meaning = first; meaning !== 0; meaning = words.meaningAfter(meaning)) {
    const value = words.valueOf(meaning);
    const language = value >> CONCEPT_BITS;
    const concept = value & (2 ** CONCEPT_BITS - 1);
    if (concept === COMMON) common[language]!++;
    else found.push(language, concept, at, end);
  }
}

/** A meaning is the number of a language above that of a concept. */
export const CONCEPT_BITS = 8;

/** Character code of the full stop, with which some words start: `.env`. */
const DOT = 46;
const OTHER = 0;
const LETTER = 1;
const ANYWHERE = 2;

function kindOf(code: number): number {
  if (code < 128)
    return (code > 96 && code < 123) || (code > 47 && code < 58) || code === 95 || (code > 64 && code < 91)
      ? LETTER
      : OTHER;
  if (code < 0xc0) return OTHER;
  if (code >= 0x2000 && code < 0x2e80) return OTHER;
  if (code >= 0x3000 && code < 0x3040) return OTHER;
  if (code >= 0x2e80 && code < 0xd7b0) return ANYWHERE;
  if (code >= 0xff00) return code >= 0xff66 && code <= 0xff9f ? ANYWHERE : OTHER;
  return LETTER;
}

const isLetter = (code: number) => kindOf(code) === LETTER;

/** Whether a character is an Arabic prefix for "and", "so", "with", "to" or "as". */
function isClitic(code: number): boolean {
  return code === 0x648 || code === 0x641 || code === 0x628 || code === 0x644;
}
