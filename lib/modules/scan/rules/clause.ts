import {
  ACTS_SAID,
  ADDRESS,
  DETECTS,
  FIXED,
  FORMS,
  INTO_PARAMETER,
  OR,
  ORDERS_SAID,
  SENSITIVE,
  UNSPACED,
} from "./clause-patterns.ts";
import { CONCEPT_ID, type Spans } from "./lexicon.ts";
import { type Phrase, phraseOf } from "./phrase.ts";
import { close, inOrder, some } from "./spans.ts";
import type { Topic } from "./topic.ts";
import type { Concept } from "./words/concepts.ts";

/** The position of a sentence in a tool's definition. */
export interface Place {
  /** The first sentence of a tool's description, which says what the tool does, often as an imperative ("Send …"). */
  readonly opening: boolean;
  /** Part of the result's description (`outputSchema`). */
  readonly returned: boolean;
  /** Part of a parameter's description. */
  readonly parameter: boolean;
  /** A default, a choice, a pattern or a comment of a schema, but no example. */
  readonly value: boolean;
}

/** One normalised sentence with the concepts that it names, in the context of its tool's topic. */
export class Clause {
  readonly text: string;
  readonly topic: Topic;
  readonly place: Place;
  readonly #phrase: Phrase;
  #order: boolean | undefined;
  #aboutAttacks: boolean | undefined;
  readonly #scale: number;

  /** @param text normalised: look-alikes folded, nothing invisible, lower case */
  constructor(text: string, topic: Topic, place: Place) {
    const phrase = meant(phraseOf(text), topic.concepts.has("attack"));
    this.text = phrase.text;
    this.topic = topic;
    this.place = place;
    this.#phrase = phrase;
    this.#scale = UNSPACED.test(phrase.text) ? 0.5 : 1;
  }

  /** Whether the sentence cannot contain an order, because it names fewer than two concepts and no file or address. */
  get plain(): boolean {
    return this.#phrase.namesLittle;
  }

  /** Hashes of its word stems. */
  get stems(): readonly number[] {
    return this.#phrase.stems;
  }

  has(concept: Concept): boolean {
    return this.#phrase.has(concept);
  }

  /** The concepts that it names, by number, each with the position of the first occurrence. */
  *named(): Generator<readonly [id: number, at: number]> {
    const { hits } = this.#phrase;
    for (let id = 0; id < hits.length; id++) {
      const spans = hits[id];
      if (spans) yield [id, spans[0]!];
    }
  }

  matches(pattern: RegExp): boolean {
    return this.#phrase.matches(pattern);
  }

  /** Whether both occur with at most `gap` characters between them, in any order. */
  near(a: Concept, b: Concept, gap = 60): boolean {
    return close(this.#spans(a), this.#spans(b), gap * this.#scale);
  }

  /** Whether `b` starts after `a`, at most `gap` characters later. */
  follows(a: Concept, b: Concept, gap = 60): boolean {
    return inOrder(this.#spans(a), this.#spans(b), gap * this.#scale);
  }

  /** Whether the act is forbidden or omitted: "do not tell", "without asking", with only words in between. */
  forbids(act: Concept, gap = 16): boolean {
    const [before, spans] = [this.#spans("negate"), this.#spans(act)];
    if (
      before &&
      spans &&
      some(spans, (at) =>
        some(
          before,
          (_, end) => end <= at && at - end <= gap * this.#scale && !/[,;:.(]/.test(this.text.slice(end, at)),
        ),
      )
    )
      return true;
    const late = this.#spans("negateLate");
    return (
      late !== undefined &&
      spans !== undefined &&
      some(spans, (at, end) =>
        some(
          late,
          (a, b) => (a >= end && a - end <= 34 && !/[,;:.]/.test(this.text.slice(end, a))) || (b <= at && at - b <= 12),
        ),
      )
    );
  }

  /** Whether one of the acts is near the object and not negated. */
  acts(acts: readonly Concept[], object: Concept, gap = 70): boolean {
    return acts.some((act) => this.near(act, object, gap) && !this.denied(act));
  }

  /** Whether every occurrence of an act is negated: "never sends", "does not store", "nicht gesendet". */
  denied(act: Concept): boolean {
    const spans = this.#spans(act);
    if (!spans) return false;
    const before = [this.#spans("negate"), this.#spans("denial")];
    const late = this.#spans("negateLate");
    for (let i = 0; i < spans.length; i += 2) {
      const [at, end] = [spans[i]!, spans[i + 1]!];
      const inOne = (from: number, to: number) =>
        !/[,;:()—–]|\band\b|\bund\b|\bet\b| y | e | en | i | и | そして|，|、|；|：/.test(this.text.slice(from, to));
      const negated =
        before.some(
          (list) =>
            list &&
            some(
              list,
              (a, b) => (b <= at && at - b <= 24 && inOne(b, at)) || (this.#scale < 1 && a >= end && a - end <= 4),
            ),
        ) ||
        (late &&
          some(
            late,
            (a, b) => (a >= end && a - end <= 28 && inOne(end, a)) || (b <= at && at - b <= 24 && inOne(b, at)),
          ));
      if (!negated && !this.#listedAsDenied(at)) return false;
    }
    return true;
  }

  /** "does not upload, store or share …": one negation applies to a list of acts. */
  #listedAsDenied(at: number): boolean {
    const denials = [this.#spans("denial"), this.#spans("negate")];
    return denials.some(
      (list) =>
        list &&
        some(
          list,
          (_, end) =>
            end <= at &&
            at - end <= 50 &&
            !/[;.:(]/.test(this.text.slice(end, at)) &&
            OR.test(this.text.slice(end, at + 40)) &&
            !/\b(?:and|but|then|und|et|pero|mas|ma|maar|ale)\b/.test(this.text.slice(end, at)),
        ),
    );
  }

  /** Whether the sentence gives an order, rather than describing the tool. */
  get order(): boolean {
    this.#order ??= ORDERS_SAID.some((concept) => this.has(concept));
    return this.#order;
  }

  /** Whether a part of it starts with an imperative: "…, then install". */
  get imperative(): boolean {
    return ACTS_SAID.some((act) => {
      const spans = this.#spans(act);
      return (
        spans !== undefined &&
        some(
          spans,
          (at) =>
            at === 0 ||
            /(?:^[^\p{L}\p{N}]*|[,:;({[–—.!?\-，。；：、]\s{0,2}|\b(?:and|then|also|please|first|or|und|et|y|e|i|en|dann|zuerst|puis|luego|poi)\s)$/u.test(
              this.text.slice(Math.max(0, at - 8), at),
            ),
        )
      );
    });
  }

  /** Whether the sentence addresses the model: "Assistant, …", "An das Sprachmodell: …". */
  get calledUpon(): boolean {
    const spans = this.#spans("model");
    return (
      spans !== undefined &&
      some(
        spans,
        (at, end) =>
          /^\s?[:,：，、]/.test(this.text.slice(end, end + 3)) &&
          /(?:^|[([{>.:!?-]\s?|\b(?:to|for|an|das|the|all|à|aux?|para|al?|per|voor|do|dla)\s(?:the |all |das |die |den |el |la |los |o |il )?)[^\p{L}\p{N}]*$/u.test(
            this.text.slice(Math.max(0, at - 14), at),
          ),
      )
    );
  }

  /** Whether it discusses attacks, as the texts of security tools do. */
  get aboutAttacks(): boolean {
    this.#aboutAttacks ??=
      (this.matches(DETECTS) && !this.namesParameter) ||
      (!this.has("oblige") &&
        !this.namesParameter &&
        ((this.has("describe") && (this.has("attack") || this.topic.concepts.has("attack"))) ||
          (this.topic.concepts.has("attack") && !this.imperative && !this.has("you") && !this.has("model"))));
    return this.#aboutAttacks;
  }

  get sensitivePath(): boolean {
    return /[./`$*]|wallet|key|environ|credential|secret|login|shadow/.test(this.text) && this.matches(SENSITIVE);
  }

  get address(): boolean {
    return /[.@]|:\/\/|paste|server|endpoint|collector|host/.test(this.text) && this.matches(ADDRESS);
  }

  get fixedValue(): boolean {
    return /\d|[.@]/.test(this.text) && this.matches(FIXED);
  }

  get forms(): boolean {
    return this.matches(FORMS);
  }

  /** Whether it names a parameter of the tool as the target of data. */
  get namesParameter(): boolean {
    const { parameters } = this.topic;
    return this.#phrase.quotedNames.some((name) => parameters.has(name)) || this.matches(INTO_PARAMETER);
  }

  #spans(concept: Concept): Spans | undefined {
    return this.#phrase.hits[CONCEPT_ID[concept]];
  }
}

/** Removes quotations, which are mentioned rather than stated, in sentences about texts and in tools about attacks. */
function meant(phrase: Phrase, aboutAttacks: boolean): Phrase {
  const speaksOfTexts = (one: Phrase) => aboutAttacks || one.has("describe") || one.has("attack");
  if (!speaksOfTexts(phrase)) return phrase;
  const { unquoted } = phrase;
  return unquoted && speaksOfTexts(unquoted) ? unquoted : phrase;
}
