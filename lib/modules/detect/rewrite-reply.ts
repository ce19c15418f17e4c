import type { SensitiveFinding, SensitiveMatch, StripClass } from "../../core/schema/sensitive-finding.ts";
import { encodedRuns, readings } from "./encoded.ts";
import { findSensitive } from "./find.ts";
import { stripText } from "./invisible.ts";
import { isCard } from "./numbers.ts";
import type { Rules } from "./rules.ts";
import { sweep } from "./sweep.ts";

export interface Treatment {
  /** Matches of these rules are replaced by `[REDACTED:<category>]`. */
  redact?: Rules;
  /** Further parts of content texts to replace, by the index of the text (`partedIn`). */
  parted?: ReadonlyMap<number, readonly Span[]>;
  strip?: readonly StripClass[];
  /** Text before and after each text that a model reads as the answer. */
  frame?: { before: string; after: string };
  /** Set for an error, whose message counts as such a text. */
  error?: boolean;
}

interface Span {
  start: number;
  end: number;
  category: string;
}

/** Characters processed between two pauses. */
const PAUSE = 32_768;

interface Container {
  readonly list: boolean;
  /** The current member name. */
  name: string;
  place: "name" | "value";
  /** How many names were changed into this one. */
  changed?: Map<string, number>;
}

/**
 * Rewrites the texts and names in the JSON text of a tool's result or of an error; everything else keeps its exact
 * bytes. A card number written as a JSON number becomes a string. Characters are stripped before the search for
 * sensitive data, and frames are added last.
 */
export function* rewriteReply(raw: string, treatment: Treatment): Generator<void, string> {
  let out = "";
  let copiedTo = 0;
  let contents = 0;
  let pauseAt = PAUSE;
  const stack: Container[] = [];
  for (let at = 0; at < raw.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + PAUSE;
      yield;
    }
    const character = raw[at];
    const top = stack.at(-1);
    if (character === "{" || character === "[")
      stack.push({ list: character === "[", name: "", place: character === "[" ? "value" : "name" });
    else if (character === "}" || character === "]") stack.pop();
    else if (character === ":" && top) top.place = "value";
    else if (character === "," && top && !top.list) top.place = "name";
    else if (character === '"') {
      const end = closing(raw, at);
      const text = JSON.parse(raw.slice(at, end)) as string;
      let treated: string;
      if (top?.place === "name") {
        treated = yield* treatName(text, top, treatment);
        top.name = treated;
      } else {
        const isContent = isContentText(stack);
        treated = yield* treatText(text, stack, isContent ? contents : -1, treatment);
        if (isContent) contents++;
      }
      if (treated !== text) {
        out += raw.slice(copiedTo, at) + JSON.stringify(treated);
        copiedTo = end;
      }
      at = end - 1;
    } else if (treatment.redact && isDigit(character!)) {
      const number = /^\d+/.exec(raw.slice(at, at + 40))![0];
      const whole = !/[-.\w]/.test(raw[at - 1] ?? "") && !/[.\w]/.test(raw[at + number.length] ?? "");
      if (whole && !treatment.redact.off.has("credit_card") && isCard(number)) {
        out += `${raw.slice(copiedTo, at)}"[REDACTED:credit_card]"`;
        copiedTo = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return out + raw.slice(copiedTo);
}

/** The position after the closing quote. */
function closing(raw: string, open: number): number {
  for (let at = raw.indexOf('"', open + 1); at >= 0; at = raw.indexOf('"', at + 1)) {
    let slashes = 0;
    while (raw[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return raw.length;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** Treats a member name; names that become equal get different suffixes. */
function* treatName(text: string, within: Container, { strip, redact }: Treatment): Generator<void, string> {
  let treated = strip ? yield* stripText(text, strip) : text;
  if (redact) treated = yield* redactText(treated, "", redact);
  if (treated === text) return text;
  within.changed ??= new Map();
  const count = (within.changed.get(treated) ?? 0) + 1;
  within.changed.set(treated, count);
  return count === 1 ? treated : `${treated} (${count})`;
}

function* treatText(
  text: string,
  stack: readonly Container[],
  content: number,
  { redact, parted, strip, frame, error }: Treatment,
): Generator<void, string> {
  const top = stack.at(-1);
  const name = top && !top.list ? top.name : "";
  let treated = strip ? yield* stripText(text, strip) : text;
  const spans = parted?.get(content);
  if (spans) treated = replaced(treated, spans);
  if (redact) treated = name === "blob" ? yield* redactBlob(treated, redact) : yield* redactText(treated, name, redact);
  const framed = frame && (content >= 0 || isDescription(stack) || (error && stack.length === 1 && name === "message"));
  return framed ? `${frame.before}\n${treated}\n${frame.after}` : treated;
}

/** Whether the current value is the text of a text block or of an embedded resource. */
function isContentText(stack: readonly Container[]): boolean {
  if (stack[0]?.name !== "content" || stack[1]?.list !== true || stack.at(-1)!.name !== "text") return false;
  return stack.length === 3 || (stack.length === 4 && stack[2]!.name === "resource" && !stack[3]!.list);
}

/** Whether the current value is the description of a linked resource. */
function isDescription(stack: readonly Container[]): boolean {
  const block = stack[2];
  return stack.length === 3 && stack[0]!.name === "content" && stack[1]!.list && block?.name === "description";
}

/** All content texts in the order in which `treat` counts them. */
export function contentTexts(result: unknown): string[] {
  const { content } = (result ?? {}) as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { [name: string]: unknown } | null) =>
    Object.entries(block ?? {}).flatMap(([name, value]) => {
      const text =
        name === "resource" ? (value as { text?: unknown } | null)?.text : name === "text" ? value : undefined;
      return typeof text === "string" ? [text] : [];
    }),
  );
}

/**
 * Finds sensitive data that is split over two or more texts of a result, which a reader would join. Returns its parts
 * by the index of the text.
 */
export function* partedIn(texts: readonly string[], rules: Rules): Generator<void, Parted> {
  const spans = new Map<number, Span[]>();
  const found = new Set<SensitiveMatch>();
  if (texts.length < 2) return { spans, found: [] };
  const ownSpans = new Set<number>();
  let start = 0;
  for (const text of texts) {
    for (const match of yield* sweep(text, rules, "response")) ownSpans.add(start + match.start);
    start += text.length;
  }
  // Ignores matches that are complete in one text and only seem to continue in the next.
  const matches = (yield* sweep(texts.join(""), rules, "response")).filter((match) => !ownSpans.has(match.start));
  start = 0;
  for (const [number, text] of texts.entries()) {
    const end = start + text.length;
    for (const match of matches) {
      if (match.is_likely_example || match.start >= end || match.end <= start) continue;
      if (match.start >= start && match.end <= end) continue;
      const span = { start: Math.max(match.start, start) - start, end: Math.min(match.end, end) - start };
      spans.set(number, [...(spans.get(number) ?? []), { ...span, category: match.category }]);
      found.add(match);
    }
    start = end;
  }
  return { spans, found: [...found].map(({ start: _, end: __, ...match }) => ({ ...match, location: "response" })) };
}

interface Parted {
  spans: Map<number, Span[]>;
  found: SensitiveFinding[];
}

function* redactText(text: string, name: string, rules: Rules): Generator<void, string> {
  // The name can be what identifies its value as a secret.
  const head = name === "" ? "" : `"${name}": "`;
  const matches = yield* sweep(head + text, rules, "response");
  const spans = matches
    .filter(({ start, is_likely_example }) => start >= head.length && !is_likely_example)
    .map(({ start, end, category }) => ({ start: start - head.length, end: end - head.length, category }));
  const plain = replaced(text, spans);
  if (plain.length <= PAUSE) return redactReadings(plain, rules);
  let out = "";
  for (let at = 0; at < plain.length; ) {
    yield;
    const space = plain.lastIndexOf(" ", at + PAUSE);
    const end = at + PAUSE < plain.length && space > at + PAUSE / 2 ? space : at + PAUSE;
    out += redactReadings(plain.slice(at, end), rules);
    at = end;
  }
  return out;
}

/**
 * Redacts what is visible only in another reading: an encoded run is replaced completely; otherwise the text is
 * replaced by its redacted reading.
 */
function redactReadings(text: string, rules: Rules): string {
  const decoded = replaced(text, encodedSpans(text, rules));
  for (const reading of readings(decoded, 0)) {
    const matches = sensitiveIn(reading, rules);
    if (matches.length > 0) return replaced(reading, matches);
  }
  return decoded;
}

/** Redacts the content of a base64 value and encodes it again. */
function* redactBlob(blob: string, rules: Rules): Generator<void, string> {
  const text = Buffer.from(blob, "base64").toString("utf8");
  if (text.includes("\ufffd")) return blob;
  const redacted = yield* redactText(text, "", rules);
  return redacted === text ? blob : Buffer.from(redacted).toString("base64");
}

function encodedSpans(text: string, rules: Rules): Span[] {
  return encodedRuns(text).flatMap(({ start, end, text: decoded }) => {
    const match = [decoded, ...readings(decoded)].flatMap((one) => sensitiveIn(one, rules))[0];
    return match ? [{ start, end, category: match.category }] : [];
  });
}

function sensitiveIn(text: string, rules: Rules): SensitiveMatch[] {
  const window = { from: 0, to: text.length, location: "response" as const, most: Number.POSITIVE_INFINITY };
  return findSensitive(text, rules, { ...window, mostByEntropy: 0 })
    .filter(({ is_likely_example }) => !is_likely_example)
    .sort((a, b) => a.start - b.start);
}

function replaced(text: string, spans: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end, category } of spans) {
    if (start < from) continue;
    out += `${text.slice(from, start)}[REDACTED:${category}]`;
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}
