import { CODES, type Decoded, fromBase64, fromHex, MAX_READ, partedRuns, traitsOf } from "./codes.ts";
import { RESPELT, respeltIn, shiftedIn } from "./disguise.ts";

/** Maximum number of decoded parts of one text. */
const MAX_RUNS = 200;
/** Shortest decoded text that can contain an order (characters). */
const SHORTEST = 12;
/** Maximum depth of nested encodings, and maximum decoded length of one text (characters). */
const DEPTH = 3;
const BUDGET = 96 * 1024;

/** Encodings of single characters within a text; the complete text is read with them replaced. */
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
 * Decodes everything in a text: base64 (also wrapped, split, URL-safe), base32, hexadecimal, binary, decimal and octal
 * codes, Morse, percent and character escapes, shifted alphabets (ROT13 and similar), mirrored and reversed words,
 * spaced letters, digits for letters, and words split by markup. Nested encodings are decoded within limits.
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
    // Respelled texts contain no encodings that their plain form lacks.
    open = next.filter(({ code }) => !code.endsWith(RESPELT));
  }
  return found;
}

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

/** Whether the result is readable text rather than data. */
function readable(decoded: string): boolean {
  if (decoded.length < 8) return false;
  const head = decoded.slice(0, 400);
  if (head.includes("\ufffd")) return false;
  const printable = head.match(/[\p{L}\p{N}\p{P}\p{S} \t\r\n]/gu)?.length ?? 0;
  if (printable < [...head].length * 0.95) return false;
  const letters = head.match(/[\p{L} ]/gu)?.length ?? 0;
  return letters >= head.length * 0.5;
}
