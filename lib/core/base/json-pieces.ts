import { loopShare } from "./loop-share.ts";

/** Characters of JSON that are made in one step, which takes less than a millisecond. */
const PIECE = 64 * 1024;

/** What a value adds to a count beside the text of its strings and names: a number, a comma, quotation marks. */
const OVERHEAD = 8;

/** A text in pieces of bytes, which nobody has to put together. */
export interface BytePieces {
  readonly pieces: readonly Buffer[];
  readonly sizeBytes: number;
}

/** Whether the JSON text of a value is so long that it is made in pieces. Looks at no more of it than that takes. */
export function isLargeJson(value: unknown): boolean {
  return charactersLeft(value, PIECE) < 0;
}

/** The JSON text of plain data, as `JSON.stringify` makes it, in pieces of UTF-8; yields to other work in between. */
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

/** The beginning of a JSON text, and how long the whole is. */
export interface JsonBeginning {
  readonly text: string;
  readonly length: number;
  readonly sizeBytes: number;
}

/** @param most number of characters after which the text may be cut */
export async function largeJsonBeginning(value: unknown, most: number): Promise<JsonBeginning> {
  let text = "";
  let length = 0;
  let sizeBytes = 0;
  const pause = loopShare();
  for (const piece of jsonPieces(value)) {
    if (length < most) text += piece;
    length += piece.length;
    sizeBytes += Buffer.byteLength(piece);
    await pause();
  }
  return { text, length, sizeBytes };
}

/**
 * The JSON text of plain data, as `JSON.stringify` makes it, in pieces; whoever walks them can yield to other work in
 * between. An object that is no plain one is written in one piece.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  const out = { text: "" };
  yield* writing(value, out);
  if (out.text !== "") yield out.text;
}

/** Text that is not handed out yet. */
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

/** Does not split surrogate pairs, whose halves alone would be escaped. */
function pieceEnd(text: string, at: number): number {
  const end = at + PIECE;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** What is left of a number of characters after a value; below zero as soon as it is longer. */
function charactersLeft(value: unknown, most: number): number {
  let left = most - OVERHEAD;
  if (typeof value === "string") return left - value.length;
  if (typeof value !== "object" || value === null) return left;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = charactersLeft(value[i], left);
    return left;
  }
  for (const key in value) {
    left = charactersLeft((value as Record<string, unknown>)[key], left - key.length);
    if (left < 0) break;
  }
  return left;
}
