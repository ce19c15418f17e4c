import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, ScannedText } from "../../../core/schema/rule-finding.ts";

const FLAG = "\u{1f3f4}";
/** Maximum number of tag characters in one flag: up to five letters of a region, and the end tag. */
const FLAG_TAGS = 6;
/** Scripts that use U+200C and U+200D within words: Arabic, Hebrew, the Indic ones, Thai to Khmer. */
const JOINING = /[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]/;
const PICTURE = /\p{Extended_Pictographic}|[\ufe0f\u20e3]|\p{Emoji_Modifier}/u;

/** Any character that needs a closer look; most texts have none and cost one pass. */
const ANY =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ue000-\uf8ff]|[\u{e0000}-\u{e0fff}\u{f0000}-\u{10ffff}]|\p{Variation_Selector}|\p{Cs}|\u034f/gu;

interface Seen {
  count: number;
  at: number;
}

/**
 * Finds characters that a person does not see and a model reads (rule `unicode.*`): tags, zero width characters,
 * bidirectional controls, sequences of variation selectors, private use characters, terminal escapes. Characters that
 * writing needs are not reported: joiners in scripts that use them, parts of emoji, and one byte order mark at the
 * start.
 */
export function hiddenIn({ location, text, kind }: ScannedText): RuleFinding[] {
  const characters = new Map<string, Seen>();
  const note = (what: string, at: number) => {
    const old = characters.get(what);
    if (old) old.count++;
    else characters.set(what, { count: 1, at });
  };
  let tagText = "";
  let flagEnd = -1;
  let flagTags = 0;
  let selectorsEnd = -1;
  for (const match of text.matchAll(ANY)) {
    const at = match.index;
    const char = match[0];
    const code = char.codePointAt(0)!;
    if (code >= 0xe0000 && code <= 0xe007f) {
      // The flags of England, Scotland and Wales consist of a black flag and a few tags.
      const start = text.slice(Math.max(0, at - 2), at) === FLAG;
      if (start) flagTags = 0;
      if ((start || flagEnd === at) && flagTags++ < FLAG_TAGS) flagEnd = at + char.length;
      else {
        note("tags", at);
        if (code >= 0xe0020 && code < 0xe007f && tagText.length < 200) tagText += String.fromCharCode(code - 0xe0000);
      }
    } else if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) {
      if (selectorsEnd === at) note("selectors", at);
      else if (code >= 0xe0100 && (kind === "name" || /[\x20-\x7e]/.test(text[at - 1] ?? " "))) note("selectors", at);
      selectorsEnd = at + char.length;
    } else note(classOf(code, text, at, char.length), at);
  }
  characters.delete("");
  return [...characters].flatMap(([what, { count, at }]) => {
    const { severity, single, meaning } = CLASSES[what]!;
    const many = what === "zero_width" && kind !== "name" && count < 3;
    const spelled = what === "tags" && tagText.length > 3 ? ` (spells: ${excerpt(tagText)})` : "";
    return [
      {
        rule: `unicode.${what}`,
        severity: many ? ("low" as const) : severity,
        location,
        excerpt: excerpt(text, at, 60) + spelled,
        explanation: count === 1 ? `1 ${single}` : `${count} ${meaning}`,
      },
    ];
  });
}

const CLASSES: Record<string, { severity: RuleFinding["severity"]; single: string; meaning: string }> = {
  tags: {
    severity: "critical",
    single: "character of the invisible tags block, which carries invisible text",
    meaning: "characters of the invisible tags block, which carry invisible text",
  },
  selectors: {
    severity: "critical",
    single: "variation selector after another, which can hide data",
    meaning: "variation selectors in a row, which can hide data",
  },
  bidi: {
    severity: "high",
    single: "bidirectional control, which shows text in another order than models read it",
    meaning: "bidirectional controls, which show text in another order than models read it",
  },
  zero_width: {
    severity: "high",
    single: "zero-width character, which hides or splits words",
    meaning: "zero-width characters, which hide or split words",
  },
  private_use: {
    severity: "medium",
    single: "private-use character, which has no defined meaning",
    meaning: "private-use characters, which have no defined meaning",
  },
  terminal: {
    severity: "high",
    single: "terminal escape, which can hide or change what is shown",
    meaning: "terminal escapes, which can hide or change what is shown",
  },
  control: {
    severity: "medium",
    single: "control character or broken character within text",
    meaning: "control characters or broken characters within text",
  },
};

function classOf(code: number, text: string, at: number, length: number): string {
  if (code === 0x1b || code === 0x9b || code === 0x07 || code === 0x08) return "terminal";
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff)) return "control";
  if (code === 0xfeff && at === 0) return "";
  if (code === 0xad) return "";
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return "bidi";
  if (code === 0x200e || code === 0x200f || code === 0x61c)
    return JOINING.test(around(text, at, length, 12)) ? "" : "bidi";
  if (code === 0x200c || code === 0x200d) {
    const near = around(text, at, length, 2);
    return JOINING.test(near) || (code === 0x200d && PICTURE.test(near)) ? "" : "zero_width";
  }
  if (code === 0x2028 || code === 0x2029 || (code >= 0x180b && code <= 0x180f)) return "";
  // The braille blank and the Hangul fillers have a width and occur among characters of their script.
  if (code === 0x2800 && /[\u2801-\u28ff]/.test(around(text, at, length, 4))) return "";
  if ((code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000) return "private_use";
  return "zero_width";
}

function around(text: string, at: number, length: number, reach: number): string {
  return text.slice(Math.max(0, at - reach), at) + text.slice(at + length, at + length + reach);
}
