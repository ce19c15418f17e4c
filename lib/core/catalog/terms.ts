import { stemmer } from "stemmer";

/** Words that say nothing about what a tool does. "a" is among them; digits and verbs are not. */
const STOP = new Set(
  `a an the and or but if so as of at by for with about into through during to from in on off over under out up down then
than too very s t d ll re ve m i me my mine myself we us our ours you your yours he him his she her hers it its they them
their theirs what which who whom whose this that these those am is are was were be been being have has had having do does
did doing will would shall should can could may might must here there when where why how any both each few more most other
some such no nor not only own same just also now yet again further once please let give tell want need help using use used
via like`.split(/\s+/),
);

/** Stop words that mean something in a question. They are not searched themselves, but their synonyms are. */
const ASKING = new Set(["who", "where", "when"]);

/** Scripts without spaces between words. Texts in them are indexed by single characters and pairs of characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const SEGMENTS = new RegExp(`(?:${UNSPACED.source})+|(?:(?!${UNSPACED.source}).)+`, "gu");

const RUN = /[\p{L}\p{N}\p{M}_\-.]+/gu;
/** Longer words are cut: nobody types them, and a listing may contain megabytes of them. */
const MAX_WORD = 64;
/** An identifier with more parts is a path or a list and is not indexed as a whole. */
const MAX_COMPOUND = 6;

/**
 * Returns the terms of a text, each once: the stems of its words without stop words; for identifiers (`createIssue`,
 * `create_issue`) the stems of their parts and, marked by "=", the whole; for text without spaces its characters and
 * pairs.
 */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const run of runs(text)) for (const term of termsOfRun(run)) terms.add(term);
  return [...terms];
}

/** Cache of the terms of short pieces of text, because many tools use the same words. Longer pieces rarely repeat. */
const MAX_RUNS = 50_000;
const MAX_KNOWN_RUN = 40;
const termsByRun = new Map<string, readonly string[]>();

function termsOfRun(run: string): readonly string[] {
  if (run.length > MAX_KNOWN_RUN) return readRun(run);
  let terms = termsByRun.get(run);
  if (terms === undefined) {
    terms = readRun(run);
    if (termsByRun.size >= MAX_RUNS) termsByRun.clear();
    termsByRun.set(run, terms);
  }
  return terms;
}

function readRun(run: string): string[] {
  const terms = new Set<string>();
  const parts: string[] = [];
  for (const segment of segments(run)) {
    if (UNSPACED.test(segment)) for (const gram of [...segment, ...pairs(segment)]) terms.add(gram);
    else parts.push(...wordsOf(segment));
  }
  for (const part of parts) if (!STOP.has(part)) terms.add(stemWord(part));
  if (parts.length > 1 && parts.length <= MAX_COMPOUND) terms.add(compound(parts));
  return [...terms];
}

/** One thing that a query asks for: alternative terms of which any matches. */
export type QueryTerm = readonly [term: string, ...alternatives: string[]];

/**
 * Returns the terms of a query. Two adjacent words are also searched as one, because "time zone", "timezone" and
 * `time_zone` mean the same. Such a pair has two alternatives: the joined word and the identifier.
 */
export function queryTerms(query: string): { words: string[]; joined: QueryTerm[] } {
  const words = new Set<string>();
  const joined: QueryTerm[] = [];
  let last: string | undefined;
  for (const run of runs(query))
    for (const segment of segments(run)) {
      if (UNSPACED.test(segment)) {
        for (const gram of [...segment].length === 1 ? [segment] : pairs(segment)) words.add(gram);
        last = undefined;
        continue;
      }
      for (const word of wordsOf(segment)) {
        if (!STOP.has(word) || ASKING.has(word)) words.add(stemWord(word));
        if (last !== undefined) joined.push([stemWord(last + word), compound([last, word])]);
        last = word;
      }
    }
  return { words: [...words], joined };
}

/** Returns a name without letter case and punctuation, so that it is found in any spelling. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

const MAX_STEMS = 50_000;
const stems = new Map<string, string>();

/** Returns the stem of an English word in lower case; words of other languages mostly stay unchanged. */
function stemWord(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    found = stemmer(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** Splits a piece of text into parts in scripts with and without spaces between words. Mostly it is one part. */
function segments(run: string): string[] {
  return UNSPACED.test(run) ? (run.match(SEGMENTS) ?? []) : [run];
}

function runs(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/['’](s|t|re|ve|ll|d|m)\b/gi, " ");
  return plain.match(RUN) ?? [];
}

function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map((word) => american(word.slice(0, MAX_WORD).toLowerCase()));
}

/**
 * Returns one spelling for words that differ in British and American English. It also changes other words with the same
 * ending (`promise`), which does no harm, because documents and queries are changed alike.
 */
function american(word: string): string {
  if (word.length < 6) return word;
  return word
    .replace(/(?<=i|y)s(?=(?:e|es|ed|er|ing|ations?)$)/, "z")
    .replace(/our(?=(?:s|ed|ing|ful|al|able|ites?|hoods?)?$)/, "or")
    .replace(/(?<=^(?:cent|theat|kilomet))re(?=s?$)/, "er");
}

function compound(parts: readonly string[]): string {
  return `=${parts.join("")}`;
}

function pairs(segment: string): string[] {
  const characters = [...segment];
  return characters.slice(1).map((second, i) => characters[i]! + second);
}
