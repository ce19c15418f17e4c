import { lazy } from "../../core/base/lazy.ts";

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const CODES = new Uint8Array(256).map((_, code) => (LETTERS[String.fromCharCode(code)] ?? "").charCodeAt(0) || code);

const BACKSLASH = 92;
const UNICODE = 117;
/** Size of the scratch buffer (characters). */
const CHUNK = 16_384;
/** Scratch buffer; each call uses it synchronously. */
const scratch = lazy(() => Buffer.alloc(CHUNK));

/**
 * Resolves the escapes of JSON text, so that `\u0041KIA…` reads as what it means. Names still precede their values. The
 * result is not valid JSON.
 */
export function plainText(json: string): string {
  const first = json.indexOf("\\");
  if (first < 0) return json;
  const bytes = scratch();
  let out = json.slice(0, first);
  let filled = 0;
  // Nested JSON has an escape every few characters, where copying single characters is cheaper than slices. Only for
  // Latin-1 text.
  for (let at = first; at < json.length; ) {
    const code = json.charCodeAt(at);
    const isEscape = code === BACKSLASH;
    const letter = isEscape ? json.charCodeAt(at + 1) : code;
    if (!(letter < 256) || (isEscape && letter === UNICODE))
      return bySlices(json, at, out + bytes.toString("latin1", 0, filled));
    bytes[filled++] = isEscape ? CODES[letter]! : code;
    at += isEscape ? 2 : 1;
    if (filled === CHUNK) {
      out += bytes.toString("latin1", 0, filled);
      filled = 0;
    }
  }
  return out + bytes.toString("latin1", 0, filled);
}

/** Continues from a position, for any characters, after the part that was already converted. */
function bySlices(json: string, start: number, before: string): string {
  let out = before;
  let from = start;
  for (let at = json.indexOf("\\", from); at >= 0; at = json.indexOf("\\", from)) {
    const letter = json[at + 1] ?? "";
    out += json.slice(from, at);
    if (letter === "u") {
      const code = Number.parseInt(json.slice(at + 2, at + 6), 16);
      out += String.fromCharCode(code);
      from = at + 6;
    } else {
      out += LETTERS[letter] ?? letter;
      from = at + 2;
    }
  }
  return out + json.slice(from);
}

/** The last position at or before `at` that does not split an escape. */
export function partingPlace(json: string, at: number): number {
  for (let place = Math.max(0, at - 5); place < at; place++) {
    if (json[place] !== "\\" || !beginsEscape(json, place)) continue;
    if (place + (json[place + 1] === "u" ? 6 : 2) > at) return place;
  }
  return at;
}

/** Longest sequence of backslashes that is followed to its start; a longer one can only hide itself. */
const ROW = 64;

/** Whether the backslash starts an escape. An even number of backslashes before it are complete escapes. */
function beginsEscape(json: string, place: number): boolean {
  let before = place;
  while (before > Math.max(0, place - ROW) && json[before - 1] === "\\") before--;
  return (place - before) % 2 === 0;
}
