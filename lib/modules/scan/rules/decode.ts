import { LANGUAGES } from "./words/index.ts";

/** A stretch of a text that means something else than it shows. */
export interface Decoded {
  /** Name of the code, for people. */
  readonly code: string;
  readonly text: string;
  /** Where the stretch begins. */
  readonly at: number;
}

/** Most stretches that are decoded of one text, and most of each that is read (characters). */
const MAX_RUNS = 200;
const MAX_READ = 8192;
/** A text below this holds no order, in whatever code (characters). */
const SHORTEST = 12;
/** Codes within codes that are followed, and all that is decoded for one text (characters). */
const DEPTH = 3;
const BUDGET = 96 * 1024;

interface Code {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether a text of such characters may hold it: looked at before the expression, which takes longer. */
  may(text: Traits): boolean;
  decode(run: string): string;
}

const CODES: readonly Code[] = [
  {
    name: "hexadecimal",
    pattern:
      /(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{2}){10,}(?![0-9a-z])|(?:[0-9a-f]{2}[ :,-]){8,}[0-9a-f]{2}|(?:\\x[0-9a-f]{2}){5,}|(?:0x[0-9a-f]{2}[ ,]{0,2}){6,}/gi,
    may: (text) => text.longestRun >= 20 || text.pairs >= 8 || text.backslashes >= 5 || text.digits >= 6,
    decode: (run) => fromHex(run.replace(/0x|\\x|[ :,-]/gi, "")),
  },
  {
    name: "base64",
    pattern: /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}={0,2}/g,
    may: (text) => text.longestRun >= 16,
    decode: fromBase64,
  },
  {
    name: "base32",
    pattern: /(?<![A-Za-z0-9])[A-Z2-7]{24,}={0,6}(?![A-Za-z0-9])/g,
    may: (text) => text.longestRun >= 24,
    decode: fromBase32,
  },
  {
    name: "binary",
    pattern: /(?:[01]{8}[ ,]{0,2}){6,}/g,
    may: (text) => text.digits >= 48,
    decode: (run) => bytes((run.match(/[01]{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2))),
  },
  {
    name: "decimal",
    pattern: /(?<![\d.])(?:\d{2,3}[ ,;]{1,2}){8,}\d{2,3}(?![\d.])/g,
    may: (text) => text.digits >= 18,
    decode: (run) => bytes((run.match(/\d{2,3}/g) ?? []).map(Number)),
  },
  {
    name: "octal",
    pattern: /(?:\\[0-3]?[0-7]{2}){6,}/g,
    may: (text) => text.backslashes >= 6,
    decode: (run) => bytes((run.match(/[0-7]{2,3}/g) ?? []).map((digits) => Number.parseInt(digits, 8))),
  },
  {
    name: "morse",
    pattern: /(?:[.-]{1,5}[ /|]{1,3}){12,}[.-]{0,5}/g,
    may: (text) => text.signs >= 12,
    decode: fromMorse,
  },
];

/** Codes that stand for single characters within a text; the whole text is read with them replaced. */
const CHARACTERS =
  /\\u\{?([0-9a-f]{4,5})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{2,5});?|&#(\d{2,6});?|(?:%[0-9a-f]{2})+|&(lt|gt|amp|quot|apos|nbsp|period|comma|colon|sol|lowbar|excl);/gi;
const NAMED: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
  period: ".",
  comma: ",",
  colon: ":",
  sol: "/",
  lowbar: "_",
  excl: "!",
};

/**
 * What a text says when its codes are read: base64 (also wrapped, parted, url-safe), base32, hexadecimal, binary,
 * decimal and octal codes, Morse, percent and character escapes, shifted alphabets (ROT13 and its kin), mirrored and
 * reversed words, letters set apart, digits for letters, words parted by markup. Codes within codes are followed, within
 * bounds.
 */
export function decodings(text: string): Decoded[] {
  if (text.length < SHORTEST) return [];
  const found: Decoded[] = [];
  let open: Decoded[] = [{ code: "", text, at: 0 }];
  let budget = BUDGET + 4 * text.length;
  for (let depth = 0; depth < DEPTH && open.length > 0; depth++) {
    const next: Decoded[] = [];
    for (const one of open)
      for (const { code, text: decoded, at } of decodedOnce(one.text)) {
        budget -= decoded.length;
        if (budget < 0 || found.length >= MAX_RUNS) return found;
        const made = { code: one.code ? `${one.code}, ${code}` : code, text: decoded, at: one.code ? one.at : at };
        found.push(made);
        next.push(made);
      }
    // Respelt texts hold nothing further but what their plain form holds.
    open = next.filter(({ code }) => !code.endsWith(RESPELT));
  }
  return found;
}

const RESPELT = "letters";

function decodedOnce(text: string): Decoded[] {
  const found: Decoded[] = [];
  const add = (code: string, decoded: string, at: number) => {
    if (readable(decoded)) found.push({ code, text: decoded, at });
  };
  const traits = traitsOf(text);
  let runs = 0;
  for (const { name, pattern, may, decode } of CODES) {
    if (!may(traits)) continue;
    for (const { 0: run, index } of text.matchAll(pattern)) {
      if (runs++ >= MAX_RUNS) break;
      add(name, decode(run.slice(0, MAX_READ)), index);
    }
  }
  for (const { at, joined } of partedRuns(text)) add("base64", fromBase64(joined.slice(0, MAX_READ)), at);
  let count = 0;
  let first = -1;
  const replaced = !/[\\%&]/.test(text)
    ? text
    : text.replace(
        CHARACTERS,
        (one, u?: string, x?: string, hex?: string, dec?: string, named?: string | number, at?: number) => {
          count++;
          if (first < 0) first = at ?? 0;
          if (one[0] === "%") {
            count += one.length / 3 - 1;
            return fromHex(one.replaceAll("%", ""));
          }
          if (typeof named === "string") return NAMED[named.toLowerCase()] ?? one;
          const code = dec ? Number(dec) : Number.parseInt(u ?? x ?? hex ?? "", 16);
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
        },
      );
  if (count >= 2) add("character codes", replaced, first);
  const printable = text.includes("=") && text.match(/(?:=[0-9A-F]{2}){5,}/);
  if (printable) add("quoted-printable", fromHex(printable[0].replaceAll("=", "")), printable.index ?? 0);
  for (const shifted of shiftedIn(text)) add(shifted.code, shifted.text, shifted.at);
  for (const respelt of respeltIn(text, traits)) found.push(respelt);
  return found;
}

/** Counts of a text's characters that tell which codes it may hold. */
interface Traits {
  /** Longest run of the characters of base64. */
  readonly longestRun: number;
  readonly digits: number;
  readonly backslashes: number;
  /** Full stops and hyphens. */
  readonly signs: number;
  /** What parts hexadecimal pairs, behind two hexadecimal digits. */
  readonly pairs: number;
  /** What may stand for a letter: digits and signs that look like one. */
  readonly alike: number;
  /** What may part a word: marks, markup, quotes. */
  readonly marks: number;
}

const [RUN, DIGIT, SIGN, HEX, PARTS, ALIKE, MARK] = [1, 2, 4, 8, 16, 32, 64];
const KINDS = kinds();

function kinds(): Uint8Array {
  const table = new Uint8Array(256);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) table[character.charCodeAt(0)]! |= kind;
  };
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-", RUN);
  mark("0123456789", DIGIT);
  mark(".-", SIGN);
  mark("0123456789abcdefABCDEF", HEX);
  mark(" :,-", PARTS);
  mark("0123456789@$!|", ALIKE);
  mark("-·_*~</\"'`\\", MARK);
  return table;
}

function traitsOf(text: string): Traits {
  let [longestRun, digits, backslashes, signs, pairs, alike, marks] = [0, 0, 0, 0, 0, 0, 0];
  let run = 0;
  let hex = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 256 ? KINDS[code]! : 0;
    if ((kind & RUN) === 0) run = 0;
    else if (++run > longestRun) longestRun = run;
    if ((kind & DIGIT) !== 0) digits++;
    if ((kind & SIGN) !== 0) signs++;
    if ((kind & ALIKE) !== 0) alike++;
    if ((kind & MARK) !== 0) marks++;
    if ((kind & PARTS) !== 0 && hex >= 2) pairs++;
    hex = (kind & HEX) === 0 ? 0 : hex + 1;
    if (code === BACKSLASH) backslashes++;
  }
  return { longestRun, digits, backslashes, signs, pairs, alike, marks };
}

const BACKSLASH = 92;

/** Runs of base64 parted into pieces of one length by line breaks, dots and the like. */
function* partedRuns(text: string): Generator<{ at: number; joined: string }> {
  let pieces: string[] = [];
  let start = 0;
  let end = 0;
  const complete = () =>
    pieces.length >= 4 || (pieces.length >= 2 && pieces[0]!.length >= 16)
      ? { at: start, joined: pieces.join("") }
      : undefined;
  let done = false;
  for (const { 0: piece, index } of text.matchAll(/[A-Za-z0-9+/_-]{3,}={0,2}/g)) {
    const length = pieces[0]?.length;
    const joins = length !== undefined && !done && index - end <= 5 && piece.length <= length;
    if (joins) {
      pieces.push(piece);
      done = piece.length < length;
    } else {
      const run = complete();
      if (run) yield run;
      pieces = [piece];
      start = index;
      done = false;
    }
    end = index + piece.length;
  }
  const run = complete();
  if (run) yield run;
}

/** Common English words by which shifted and mirrored text is recognised. */
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
/** Single English words that the lexicon knows. */
const PLAIN_WORDS = new Set([
  ...COMMON,
  ...Object.values(LANGUAGES.en!).flatMap((list) => list.split("|").filter((word) => /^[a-z]+$/.test(word))),
]);
const MIRRORED = 26;
const BACKWARDS = 27;
/** Codes under which a word is a common one: 1 to 25 a shift, 26 the mirrored alphabet, 27 the word reversed. */
const DISGUISES = disguises();
/** Words that speak for a code before a text is read by it. */
const ENOUGH_WORDS = 3;

function* shiftedIn(text: string): Generator<Decoded> {
  const votes = new Map<number, number>();
  let plain = 0;
  let first = -1;
  let words = 0;
  for (const { 0: word, index } of text.matchAll(/[A-Za-z]{2,14}/g)) {
    if (words++ > 4000) break;
    const lower = word.toLowerCase();
    if (PLAIN_WORDS.has(lower)) plain++;
    const codes = DISGUISES.get(lower);
    if (!codes) continue;
    if (first < 0) first = index;
    // Short words are common under many codes.
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

function disguises(): Map<string, number[]> {
  const known = new Map<string, number[]>();
  const add = (word: string, code: number) => {
    if (PLAIN_WORDS.has(word)) return;
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

/** The same text with its letters put back: set apart, digits among them, words parted by marks. */
function* respeltIn(text: string, traits: Traits): Generator<Decoded> {
  const apart =
    text.match(/(?:[^\s] ){6}/) || text.match(/(?:\p{L}[.\-_*/|,·]){5}/u) ? text.replace(APART, together) : text;
  if (apart !== text) yield { code: `spaced ${RESPELT}`, text: apart, at: text.search(APART) };
  const leet =
    traits.alike > 0 &&
    text.match(/(?<![\w.])(?=[\w@$!|]*[a-z])(?=[\w@$!|]*[a-z][\d@$!|]+[a-z]|[\d@$|]+[a-z]{2})[\w@$!|]{3,}/gi);
  if (leet && leet.length >= 2)
    yield {
      code: `digits for ${RESPELT}`,
      text: text.replace(/(?<=[a-z])[\d@$!|]+|[\d@$|]+(?=[a-z])/gi, (digits) =>
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

/** `i g n o r e   a l l`: a wider gap parts words; where all gaps are alike, the words are found by their letters. */
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

/** Parts a run of letters into the longest known words, so that `ignoreallrules` is three. */
function words(run: string): string {
  const lower = run.toLowerCase();
  let out = "";
  for (let at = 0; at < lower.length; ) {
    let length = Math.min(14, lower.length - at);
    while (length > 1 && !PLAIN_WORDS.has(lower.slice(at, at + length))) length--;
    const known = length > 1;
    out += known ? ` ${lower.slice(at, at + length)} ` : lower[at];
    at += length;
  }
  return out;
}

/** Whether it is text that a person could read; data is not. */
function readable(decoded: string): boolean {
  if (decoded.length < 8) return false;
  const head = decoded.slice(0, 400);
  if (head.includes("\ufffd")) return false;
  const printable = head.match(/[\p{L}\p{N}\p{P}\p{S} \t\r\n]/gu)?.length ?? 0;
  if (printable < [...head].length * 0.95) return false;
  const letters = head.match(/[\p{L} ]/gu)?.length ?? 0;
  return letters >= head.length * 0.5;
}

function fromHex(digits: string): string {
  return Buffer.from(digits, "hex").toString("utf8");
}

function fromBase64(run: string): string {
  return Buffer.from(run, "base64").toString("utf8").replaceAll("\u0000", "");
}

function fromBase32(run: string): string {
  const out: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of run.replace(/=+$/, "")) {
    value = ((value << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out.push((value >> bits) & 0xff);
  }
  return bytes(out);
}

const MORSE =
  ".-a-...b-.-.c-..d.e..-.f--.g....h..i.---j-.-k.-..l--m-.n---o.--.p--.-q.-.r...s-t..-u...-v.--w-..-x-.--y--..z";
const MORSE_LETTERS = new Map([...MORSE.matchAll(/([.-]+)([a-z])/g)].map(([, signs, letter]) => [signs!, letter!]));

function fromMorse(run: string): string {
  return run
    .split(/ ?[/|] ?| {2,}/)
    .map((word) =>
      word
        .trim()
        .split(/\s/)
        .map((signs) => MORSE_LETTERS.get(signs) ?? "")
        .join(""),
    )
    .join(" ");
}

function bytes(values: readonly number[]): string {
  return values.some((value) => value > 255) ? "" : Buffer.from(values).toString("utf8");
}
