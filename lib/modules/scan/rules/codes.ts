/** A part of a text that decodes to another text. */
export interface Decoded {
  /** Display name of the encoding. */
  readonly code: string;
  readonly text: string;
  /** Start of the part. */
  readonly at: number;
}

/** Maximum decoded length of a part (characters). */
export const MAX_READ = 8192;

interface Code {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether a text with these traits can contain the encoding; checked before the expression, which is slower. */
  may(text: Traits): boolean;
  decode(run: string): string;
}

export const CODES: readonly Code[] = [
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

/** Base64 that is split into pieces of equal length by line breaks, dots and similar characters. */
export function* partedRuns(text: string): Generator<{ at: number; joined: string }> {
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

/** Character counts that decide which encodings a text can contain. */
export interface Traits {
  /** Longest run of base64 characters. */
  readonly longestRun: number;
  readonly digits: number;
  readonly backslashes: number;
  /** Number of full stops and hyphens. */
  readonly signs: number;
  /** Number of separators after two hexadecimal digits. */
  readonly pairs: number;
  /** Number of digits and signs that look like a letter. */
  readonly alike: number;
  /** Number of characters that can split a word: combining marks, markup, quotes. */
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

/** Counts the characters by which rules decide whether a text can contain a code. */
export function traitsOf(text: string): Traits {
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

/** Decodes hexadecimal digits as UTF-8. */
export function fromHex(digits: string): string {
  return Buffer.from(digits, "hex").toString("utf8");
}

/** Decodes Base64 as UTF-8, without zero characters. */
export function fromBase64(run: string): string {
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
