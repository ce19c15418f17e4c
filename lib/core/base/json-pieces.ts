import { loopShare } from "./loop-share.ts";

/** Number of characters of JSON that are made in one step, which takes less than a millisecond. */
const PIECE = 64 * 1024;

/** Size of a value besides the text of its strings and names: a number, a comma, quotation marks. (characters) */
const OVERHEAD = 8;

/** A text as a list of byte buffers, which need not be joined. */
export interface BytePieces {
  readonly pieces: readonly Buffer[];
  readonly sizeBytes: number;
}

/**
 * True if the JSON text of a value is so long that it should be made in pieces. The function reads no more of the value
 * than is needed to decide this.
 */
export function isLargeJson(value: unknown): boolean {
  return charactersLeft(value, PIECE) < 0;
}

/**
 * Returns the JSON text of plain data, as `JSON.stringify` makes it, in pieces of UTF-8. Yields to other work in
 * between.
 */
export async function largeJsonBytes(value: unknown): Promise<BytePieces> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  const pause = loopShare();
  for (const text of jsonPieces(value)) {
    const piece = Buffer.from(text);
    pieces.push(piece);
    sizeBytes += piece.length;
    await pause();
  }
  return { pieces, sizeBytes };
}

/** The beginning of a JSON text, and the length of the whole text. */
export interface JsonBeginning {
  readonly text: string;
  readonly length: number;
  readonly sizeBytes: number;
}

/**
 * Returns the beginning of the JSON text of plain data, and the length of the whole text. Yields to other work in
 * between.
 *
 * @param maxChars number of characters after which the text may be cut
 */
export async function largeJsonBeginning(value: unknown, maxChars: number): Promise<JsonBeginning> {
  let text = "";
  let length = 0;
  let sizeBytes = 0;
  const pause = loopShare();
  for (const piece of jsonPieces(value)) {
    if (length < maxChars) text += piece;
    length += piece.length;
    sizeBytes += Buffer.byteLength(piece);
    await pause();
  }
  return { text, length, sizeBytes };
}

/**
 * Yields the JSON text of plain data, as `JSON.stringify` makes it, in pieces, so that the caller can yield to other
 * work in between. The text of an object with a prototype is one piece.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  const out = { text: "" };
  yield* writing(value, out);
  if (out.text !== "") yield out.text;
}

/** Text that was not yielded yet. */
interface Unsent {
  text: string;
}

function* writing(value: unknown, out: Unsent): Generator<string, void> {
  if (typeof value === "string" && value.length > PIECE) yield* writingString(value, out);
  else if (!isLargeJson(value)) out.text += JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) {
    let before = "[";
    for (const element of value) {
      out.text += before;
      yield* writing(element, out);
      before = ",";
    }
    out.text += "]";
  } else if (isPlain(value)) {
    let before = "{";
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      out.text += `${before}${JSON.stringify(key)}:`;
      yield* writing(member, out);
      before = ",";
    }
    out.text += before === "{" ? "{}" : "}";
  } else out.text += JSON.stringify(value);
  if (out.text.length < PIECE) return;
  yield out.text;
  out.text = "";
}

function* writingString(value: string, out: Unsent): Generator<string, void> {
  let before = `${out.text}"`;
  for (let at = 0; at < value.length; ) {
    const end = pieceEnd(value, at);
    yield before + JSON.stringify(value.slice(at, end)).slice(1, -1);
    before = "";
    at = end;
  }
  out.text = '"';
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns where the next piece ends, without splitting a surrogate pair: a half of one would become an escape. */
function pieceEnd(text: string, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** Returns a number of characters minus the size of a value; negative if the value is larger. */
function charactersLeft(value: unknown, maxChars: number): number {
  let charsLeft = maxChars - OVERHEAD;
  if (typeof value === "string") return charsLeft - value.length;
  if (typeof value !== "object" || value === null) return charsLeft;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && charsLeft >= 0; i++) charsLeft = charactersLeft(value[i], charsLeft);
    return charsLeft;
  }
  for (const key in value) {
    charsLeft = charactersLeft((value as Record<string, unknown>)[key], charsLeft - key.length);
    if (charsLeft < 0) break;
  }
  return charsLeft;
}
