import type { RuleFinding, ScannedText } from "../../../../core/schema/rule-finding.ts";
import type { Clause } from "../clause.ts";
import { mixHash, stemsOf } from "../stems.ts";
import { CONCEPTS, type Concept } from "../words/concepts.ts";

/** A feature's number is a hash of this many bits. */
export const FEATURE_BITS = 16;
const MASK = (1 << FEATURE_BITS) - 1;

/** The declaration of one parameter in a tool's schema. */
interface Parameter {
  readonly required: boolean;
  readonly text: boolean;
  /** Length of its description (words). */
  readonly words: number;
}

/** The context of a sentence's features, computed once for each tool. */
export interface Setting {
  /** Words (stems) of the tool's name, opening sentence and parameters. */
  readonly subject: ReadonlySet<number>;
  /** Parameters by name, in lower case. */
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** Receives one feature: its number and its weight. */
export type Sink = (feature: number, share: number) => void;

/** Kinds of features. A feature's number is a hash of its kind and up to two values. */
const PLACE = 1;
const CONCEPT = 2;
const CONCEPT_IN_PLACE = 3;
const CONCEPT_OF_TOPIC = 4;
const CONCEPT_DENIED = 5;
const CONCEPT_PAIR = 6;
const CONCEPT_SEQUENCE = 7;
const RULE = 8;
const WORD = 9;
const WORD_PAIR = 10;
const FIRST_WORD = 11;
const SHAPE = 12;
const PARAMETER_WORD = 13;
const NOVELTY = 14;
const LENGTH = 15;
const SKIP = 16;
const QUOTED_NAME = 17;
const CONCEPT_BEFORE = 18;

const PLACES = { name: 1, opening: 2, description: 3, parameter: 4, value: 5, returned: 6, other: 7 };
const DENIABLE: readonly Concept[] = ["send", "put", "read", "collect", "tell", "ask", "call", "run", "remember"];
/** A name in quotes or code ticks. */
const NAME_QUOTED = /[`'"“‘「«]([^`'"”’」»\s]{1,40})[`'"”’」»]/gu;
const MAX_PARAMETERS = 500;
/** Words together are more informative than concepts, so they get the larger weight. */
const WORDS_SHARE = 2;

/** @param subject the tool's name and opening sentence, as words */
export function settingOf(subject: string, inputSchema: unknown): Setting {
  const { properties, required } = (inputSchema ?? {}) as { properties?: unknown; required?: unknown };
  const needed = new Set<unknown>(Array.isArray(required) ? required.slice(0, MAX_PARAMETERS) : []);
  const parameters = new Map<string, Parameter>();
  if (typeof properties === "object" && properties !== null)
    for (const [name, schema] of Object.entries(properties).slice(0, MAX_PARAMETERS)) {
      const { description, type } = (schema ?? {}) as { description?: unknown; type?: unknown };
      parameters.set(name.toLowerCase(), {
        required: needed.has(name),
        text: type === "string" || type === undefined,
        words: typeof description === "string" ? description.slice(0, 400).split(" ").length : 0,
      });
    }
  const names = [...parameters.keys()].map((name) => name.slice(0, 60).replace(/_/g, " "));
  return { subject: new Set([...stemsOf(subject), ...names.flatMap(stemsOf)]), parameters };
}

/**
 * Emits the features of one sentence: its concepts and their order, the findings of the rules, its word stems, its
 * position, and the declarations of the parameters that it names. The work is limited by the length of a sentence.
 *
 * @param found the findings of the rules in the sentence
 * @param previous the previous sentence in the same text
 */
export function featuresOf(
  c: Clause,
  { location, kind }: ScannedText,
  found: readonly RuleFinding[],
  { subject, parameters }: Setting,
  previous: Clause | undefined,
  sink: Sink,
): void {
  const emit = (what: number, a: number, b = 0, share = 1) => sink(numberOf(what, a, b), share);
  const place = placeOf(location, kind, c);
  emit(PLACE, place);

  const named = [...c.named()].filter(([id]) => CONCEPTS[id] !== "common").sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const pairShare = 1 / Math.sqrt(Math.max(1, (named.length * (named.length - 1)) / 2));
  for (const [i, [id]] of named.entries()) {
    emit(CONCEPT, id);
    emit(CONCEPT_IN_PLACE, id, place);
    if (c.topic.concepts.has(CONCEPTS[id]!)) emit(CONCEPT_OF_TOPIC, id);
    if (i > 0) emit(CONCEPT_SEQUENCE, named[i - 1]![0], id, pairShare);
    for (let j = i + 1; j < named.length; j++) {
      const other = named[j]![0];
      emit(CONCEPT_PAIR, Math.min(id, other), Math.max(id, other), pairShare);
    }
  }
  for (const act of DENIABLE) if (c.has(act) && c.denied(act)) emit(CONCEPT_DENIED, CONCEPTS.indexOf(act));
  if (previous) for (const [id] of previous.named()) emit(CONCEPT_BEFORE, id, 0, 0.3);
  for (const { rule, severity } of found) {
    emit(RULE, hashOf(rule));
    emit(RULE, hashOf(severity));
  }

  if (c.address) emit(SHAPE, 1);
  if (c.sensitivePath) emit(SHAPE, 2);
  if (c.fixedValue) emit(SHAPE, 3);
  if (c.namesParameter) emit(SHAPE, 4);
  if (c.imperative) emit(SHAPE, 5, place);
  if (c.calledUpon) emit(SHAPE, 6);
  if (c.aboutAttacks) emit(SHAPE, 7);
  if (c.forms) emit(SHAPE, 8);
  if (c.order) emit(SHAPE, 9, place);
  emit(LENGTH, Math.min(6, Math.ceil(Math.log2(1 + c.text.length / 20))));

  const { stems } = c;
  const wordShare = WORDS_SHARE / Math.sqrt(Math.max(1, stems.length));
  let knownWords = 0;
  for (const [i, stem] of stems.entries()) {
    emit(WORD, stem, 0, wordShare);
    emit(WORD_PAIR, i > 0 ? stems[i - 1]! : 1, stem, wordShare);
    if (i > 1) emit(SKIP, stems[i - 2]!, stem, wordShare / 2);
    if (i > 2) emit(SKIP, stems[i - 3]!, stem, wordShare / 2);
    if (subject.has(stem)) knownWords++;
  }
  if (stems.length > 0) emit(FIRST_WORD, stems[0]!, place > PLACES.description ? 1 : 0, 0.5);
  if (stems.length > 3) emit(NOVELTY, Math.round((4 * knownWords) / stems.length));

  if (place !== PLACES.name)
    for (const { 1: name } of c.text.matchAll(NAME_QUOTED)) {
      const parameter = parameters.get(name!);
      emit(QUOTED_NAME, parameter ? 1 : 0);
      if (!parameter) continue;
      emit(QUOTED_NAME, 2, Number(parameter.required) + 2 * Number(parameter.text));
      emit(QUOTED_NAME, 3, Math.min(3, Math.ceil(parameter.words / 3)));
      for (const stem of stemsOf(name!.replace(/_/g, " "))) emit(QUOTED_NAME, 4, stem, 0.5);
    }
  if (place === PLACES.parameter) {
    const lastName = location.split(".")[2]?.toLowerCase() ?? "";
    const parameter = parameters.get(lastName);
    if (parameter) emit(QUOTED_NAME, 5, Number(parameter.required) + 2 * Number(parameter.text));
    for (const stem of stemsOf(lastName.replace(/[_-]+/g, " "))) emit(PARAMETER_WORD, stem, 0, 0.7);
  }
}

function placeOf(location: string, kind: ScannedText["kind"], { place }: Clause): number {
  if (kind === "name") return PLACES.name;
  if (place.value || kind === "value") return PLACES.value;
  if (place.parameter) return PLACES.parameter;
  if (place.returned) return PLACES.returned;
  if (place.opening) return PLACES.opening;
  return location === "description" || location === "instructions" ? PLACES.description : PLACES.other;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = mixHash(hash, text.charCodeAt(i));
  return hash;
}

function numberOf(what: number, a: number, b: number): number {
  let hash = mixHash(mixHash(mixHash(0x2545f491, what), a), b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash & MASK;
}
