import { find } from "./find.ts";
import { isCard } from "./numbers.ts";
import type { Rules } from "./rules.ts";

/** Characters that a reader does not see or that change what is seen around them. */
export const STRIP_CLASSES = ["ansi", "c0c1", "bidi", "zero_width"] as const;
export type StripClass = (typeof STRIP_CLASSES)[number];

export interface Treatment {
  /** Sensitive data that these rules find gives way to `[REDACTED:<category>]`, in the first `most` characters of a text. */
  redact?: { rules: Rules; most: number };
  strip?: readonly StripClass[];
  /** What stands before and after each text block. */
  frame?: { before: string; after: string };
}

/** Most replacements in one text. */
const REPLACEMENTS = 100;

const STRIPPED: Readonly<Record<StripClass, RegExp>> = {
  ansi: /\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[@-Z\\^_])|\u009b[0-?]{0,64}[ -/]{0,16}[@-~]/g,
  c0c1: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g,
  bidi: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  zero_width: /[\u200b-\u200d\u2060\ufeff\u{e0000}-\u{e007f}]/gu,
};

/**
 * Rewrites the texts of a tool's result within its JSON text: what is not rewritten keeps its own bytes. Names, and what
 * is no text, stay; only a card's number that stands as a number becomes a text.
 */
export function treat(raw: string, treatment: Treatment): string {
  let out = "";
  let kept = 0;
  /** Whether each container around is a list, and the name that is being read in it. */
  const stack: { list: boolean; name: string; place: "name" | "value" }[] = [];
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    const top = stack.at(-1);
    if (character === "{" || character === "[")
      stack.push({ list: character === "[", name: "", place: character === "[" ? "value" : "name" });
    else if (character === "}" || character === "]") stack.pop();
    else if (character === ":" && top) top.place = "value";
    else if (character === "," && top && !top.list) top.place = "name";
    else if (character === '"') {
      const end = closing(raw, at);
      const token = raw.slice(at, end);
      if (top?.place === "name") top.name = JSON.parse(token) as string;
      else {
        const name = top && !top.list ? top.name : "";
        const isBlock = stack.length === 3 && stack[0]!.name === "content" && stack[1]!.list && name === "text";
        const text = JSON.parse(token) as string;
        const treated = treatText(text, name, isBlock, treatment);
        if (treated !== text) {
          out += raw.slice(kept, at) + JSON.stringify(treated);
          kept = end;
        }
      }
      at = end - 1;
    } else if (treatment.redact && isDigit(character!)) {
      const number = /^\d+/.exec(raw.slice(at, at + 40))![0];
      const whole = !/[-.\w]/.test(raw[at - 1] ?? "") && !/[.\w]/.test(raw[at + number.length] ?? "");
      if (whole && !treatment.redact.rules.off.has("credit_card") && isCard(number)) {
        out += `${raw.slice(kept, at)}"[REDACTED:credit_card]"`;
        kept = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return out + raw.slice(kept);
}

/** Behind the closing quote. */
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

function treatText(text: string, name: string, isBlock: boolean, { redact, strip, frame }: Treatment): string {
  let treated = text;
  for (const kind of strip ?? []) treated = treated.replace(STRIPPED[kind], "");
  if (redact) treated = redacted(treated, name, redact);
  return frame && isBlock ? `${frame.before}\n${treated}\n${frame.after}` : treated;
}

function redacted(text: string, name: string, { rules, most }: NonNullable<Treatment["redact"]>): string {
  // A name may be what tells that its value is secret.
  const head = name === "" ? "" : `"${name}": "`;
  const read = head + text.slice(0, most);
  const window = {
    from: 0,
    to: read.length,
    location: "response" as const,
    most: REPLACEMENTS,
    mostByEntropy: REPLACEMENTS,
  };
  const found = find(read, rules, window)
    .filter(({ start, is_likely_example }) => start >= head.length && !is_likely_example)
    .sort((a, b) => a.start - b.start);
  let out = "";
  let from = head.length;
  for (const { start, end, category } of found) {
    out += `${read.slice(from, start)}[REDACTED:${category}]`;
    from = end;
  }
  return out + read.slice(from) + text.slice(most);
}
