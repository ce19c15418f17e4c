import { stemmer } from "stemmer";

/**
 * Words that say nothing about what a tool does. "a" is among them, digits and verbs are not.
 */
const STOP = new Set(
  `a an the and or but if so as of at by for with about into through during to from in on off over under out up down then
than too very s t d ll re ve m i me my mine myself we us our ours you your yours he him his she her hers it its they them
their theirs what which who whom whose this that these those am is are was were be been being have has had having do does
did doing will would shall should can could may might must here there when where why how any both each few more most other
some such no nor not only own same just also now yet again further once please let give tell want need help using use used
via like`.split(/\s+/),
);

/** Stop words that say something in a question: what stands for them is looked for, though they are not themselves. */
const ASKING = new Set(["who", "where", "when"]);

/** Scripts written without spaces between words; they are indexed by single characters and pairs. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const SEGMENTS = new RegExp(`(?:${UNSPACED.source})+|(?:(?!${UNSPACED.source}).)+`, "gu");

const RUN = /[\p{L}\p{N}\p{M}_\-.]+/gu;
/** Longer words are cut; nobody types them, and a listing may hold megabytes of them. */
const MAX_WORD = 64;
/** An identifier of more parts than this is a path or a list, and is not kept whole. */
const MAX_COMPOUND = 6;

/**
 * The terms a text is found by, each once: the stems of its words without stop words; for identifiers (`createIssue`,
 * `create_issue`) those of their parts and, marked by "=", the whole; for text without spaces its characters and pairs.
 */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const run of runs(text)) for (const term of termsOfRun(run)) terms.add(term);
  return [...terms];
}

/** Terms of runs, since tools say the same words. Longer runs are seldom said twice. */
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

/** One thing a query asks for, by the terms that any of them stands for it. */
export type QueryTerm = readonly [term: string, ...alternatives: string[]];

/**
 * The terms of a query. Two neighbours are wanted as one word too, since "time zone", "timezone" and `time_zone` are
 * one; such a pair has two alternatives, the plain word and the identifier.
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

/** A name without case and punctuation, for finding it whatever way it is written. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

const MAX_STEMS = 50_000;
const stems = new Map<string, string>();

/** The stem of a lower-case English word; words of other languages mostly stay as they are. */
function stemWord(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    found = stemmer(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** A run as its stretches with and without spaces between words; mostly it is one of the latter. */
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
 * One spelling for words that British and American English write differently. It also bends words that end alike
 * (`promise`), which does no harm, since documents and queries are bent the same way.
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
