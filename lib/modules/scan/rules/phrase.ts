import { CONCEPT_ID, conceptsIn, type Hits, plainForm } from "./lexicon.ts";
import { stemsOf } from "./stems.ts";
import type { Concept } from "./words/concepts.ts";

/**
 * A sentence independent of its tool: its concepts, and the expressions that match it, each evaluated once. Tools
 * repeat sentences ("The maximum number of results"), so phrases are cached.
 */
export class Phrase {
  /** The normalised text. */
  readonly text: string;
  readonly hits: Hits;
  readonly #quotes: boolean;
  /** Bits by the number of an expression: whether it was evaluated, and whether it matches. */
  readonly #tried: number[] = [];
  readonly #matching: number[] = [];
  #unquoted: Phrase | undefined;
  #namesLittle: boolean | undefined;
  #stems: readonly number[] | undefined;
  #quotedNames: readonly string[] | undefined;

  constructor(text: string, hits: Hits, quotes: boolean) {
    this.text = text;
    this.hits = hits;
    this.#quotes = quotes;
  }

  has(concept: Concept): boolean {
    return this.hits[CONCEPT_ID[concept]] !== undefined;
  }

  matches(pattern: RegExp): boolean {
    const number = numberOf(pattern);
    const [word, bit] = [number >> 4, 1 << (number & 15)];
    while (this.#tried.length <= word) {
      this.#tried.push(0);
      this.#matching.push(0);
    }
    if ((this.#tried[word]! & bit) === 0) {
      this.#tried[word]! |= bit;
      if (pattern.test(this.text)) this.#matching[word]! |= bit;
    }
    return (this.#matching[word]! & bit) !== 0;
  }

  /** The sentence with quotations blanked; undefined without a quotation. */
  get unquoted(): Phrase | undefined {
    if (!this.#quotes) return undefined;
    if (this.#unquoted) return this.#unquoted;
    const plain = plainForm(this.text);
    const bare = quotesMasked(plain);
    if (bare === plain) return undefined;
    this.#unquoted = new Phrase(quotesMasked(this.text), conceptsIn(bare), false);
    return this.#unquoted;
  }

  /** Whether it names fewer than two concepts and no file or address. */
  get namesLittle(): boolean {
    this.#namesLittle ??= !NAMES_A_PLACE.test(this.text) && !namesTwo(this.hits);
    return this.#namesLittle;
  }

  /** Quoted words that could be the name of a parameter. */
  get quotedNames(): readonly string[] {
    this.#quotedNames ??= [...this.text.matchAll(QUOTED_NAME)].map(([, name]) => name!);
    return this.#quotedNames;
  }

  get stems(): readonly number[] {
    this.#stems ??= stemsOf(this.text);
    return this.#stems;
  }
}

/** Maximum number of cached phrases; each takes a few hundred bytes or more. */
const MAX_PHRASES = 8192;
const phrases = new Map<string, Phrase>();

/** @param text normalised: look-alikes folded, nothing invisible, lower case */
export function phraseOf(text: string): Phrase {
  const cached = phrases.get(text);
  if (cached) return cached;
  const phrase = new Phrase(text, conceptsIn(plainForm(text)), true);
  if (phrases.size >= MAX_PHRASES) phrases.clear();
  phrases.set(text, phrase);
  return phrase;
}

/** Numbers of expressions by source, because a literal in a function is a new object each time. */
const numbers = new Map<string, number>();

function numberOf({ source }: RegExp): number {
  let number = numbers.get(source);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(source, number);
  }
  return number;
}

/** Roughly matches files and addresses. */
const NAMES_A_PLACE = /[~@<]|:\/\/|\.[a-z]{2,5}\b/;

function namesTwo(hits: Hits): boolean {
  let named = 0;
  for (const spans of hits) if (spans !== undefined && ++named > 1) return true;
  return false;
}

/** A quoted part. */
const QUOTED =
  /"[^"]{2,300}"|“[^”]{2,300}”|„[^“”"]{2,300}[“”"]|«[^»]{2,300}»|「[^」]{2,300}」|『[^』]{2,300}』|`[^`]{2,300}`|(?<![\p{L}\p{N}])'[^'\n]{4,300}'(?!\p{L})/gu;

const QUOTED_NAME = /[`'"“‘「«]([\w.-]{2,40})[`'"”’」»]/g;

function quotesMasked(text: string): string {
  return text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}
