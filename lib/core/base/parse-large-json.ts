import { jsonStringEnd, skipJsonSpace, walkJsonValue } from "./json-walk.ts";
import { nextLoopTurn, runSteps } from "./loop-share.ts";
import { checkJsonBounds, JsonBoundError, type JsonLimits, MAX_JSON_DEPTH } from "./parse-json.ts";

/**
 * A text of at least this length (characters) is parsed in pieces. A shorter one is parsed in one step, which takes at
 * most 2 ms.
 */
export const LARGE_JSON_CHARS = 256 * 1024;

/** Parses a large text like `parseJson`, but yields to other work while it checks the limits and parses. */
export async function parseLargeJson(text: string, limits: JsonLimits = {}): Promise<unknown> {
  await nextLoopTurn();
  await runSteps(checkJsonBounds(text, limits));
  await nextLoopTurn();
  return runSteps(parseJsonSteps(text, limits.depth));
}

/**
 * Parses like `JSON.parse`, in pieces. Neither the length nor the number of values is limited.
 *
 * @throws SyntaxError
 * @throws JsonBoundError if the text is nested deeper than `maxDepth`
 */
export function* parseJsonSteps(text: string, maxDepth = MAX_JSON_DEPTH): Generator<void, unknown> {
  const place: JsonCursor = { at: yield* pastSpace(text, 0) };
  const value = yield* parseJsonStepsAt(text, place, maxDepth);
  if ((yield* pastSpace(text, place.at)) < text.length) throw unexpected(place.at);
  return value;
}

export interface JsonCursor {
  at: number;
}

/** Parses the value that starts at `place` and moves `place` to its end. */
export function* parseJsonStepsAt(
  text: string,
  place: JsonCursor,
  maxDepth = MAX_JSON_DEPTH,
): Generator<void, unknown> {
  const start = place.at;
  const end = smallEnd(text, start, maxDepth);
  if (end !== undefined) {
    place.at = end;
    return parsePiece(text, start, end);
  }
  return yield* parsingLarge(text, place, maxDepth);
}

/** A member of an object, by the indexes of its key and its value. */
interface JsonMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly start: number;
}

/**
 * Moves `place` to the value of the next member and returns that member; undefined, with `place` after the `}`, if
 * there is none. At the call `place` is at the `{` of the object or after the previous member.
 */
export function* nextJsonMember(text: string, place: JsonCursor): Generator<void, JsonMember | undefined> {
  const isFirst = text.charCodeAt(place.at) === OPEN_BRACE;
  let at = yield* pastSpace(text, isFirst ? place.at + 1 : place.at);
  const c = text.charCodeAt(at);
  if (c === CLOSE_BRACE) {
    place.at = at + 1;
    return undefined;
  }
  if (!isFirst) {
    if (c !== COMMA) throw unexpected(at);
    at = yield* pastSpace(text, at + 1);
  }
  const keyStart = at;
  if (text.charCodeAt(keyStart) !== QUOTE) throw unexpected(at);
  const keyEnd = jsonStringEnd(text, keyStart);
  at = yield* pastSpace(text, keyEnd);
  if (text.charCodeAt(at) !== COLON) throw unexpected(at);
  place.at = yield* pastSpace(text, at + 1);
  return { keyStart, keyEnd, start: place.at };
}

/** Returns the key of a member without quotes, with its escapes resolved. */
export function jsonKeyOf(text: string, { keyStart, keyEnd }: JsonMember): string {
  return parsePiece(text, keyStart, keyEnd) as string;
}

/**
 * Moves `place` to the next element; false, with `place` after the `]`, if there is none. At the call `place` is at the
 * `[` of the array or after the previous element.
 */
export function* nextJsonElement(text: string, place: JsonCursor, isFirst: boolean): Generator<void, boolean> {
  place.at = yield* pastSpace(text, isFirst ? place.at + 1 : place.at);
  const c = text.charCodeAt(place.at);
  if (c === CLOSE_BRACKET) {
    place.at++;
    return false;
  }
  if (isFirst) return true;
  if (c !== COMMA) throw unexpected(place.at);
  place.at = yield* pastSpace(text, place.at + 1);
  return true;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LETTER_U = 117;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Maximum number of characters and strings scanned in one step. */
const STEPS = 50_000;
/** Maximum number of characters parsed in one step; dense JSON of this length takes up to 2 ms. */
const PIECE = 128 * 1024;

/**
 * Returns the index after the value that starts at `start`; undefined if the value is too large to be parsed in one
 * step.
 */
function smallEnd(text: string, start: number, maxDepth: number): number | undefined {
  const within = { at: start, depth: 0, deepest: 0 };
  const isWhole = walkJsonValue(text, within, STEPS);
  if (within.deepest > maxDepth) throw new JsonBoundError("the text is nested too deep");
  return isWhole && within.at - start <= PIECE ? within.at : undefined;
}

function* parsingLarge(text: string, place: JsonCursor, maxDepth: number): Generator<void, unknown> {
  yield;
  switch (text.charCodeAt(place.at)) {
    case QUOTE:
      return yield* parsingString(text, place);
    case OPEN_BRACKET:
      return yield* parsingArray(text, place, maxDepth - 1);
    case OPEN_BRACE:
      return yield* parsingObject(text, place, maxDepth - 1);
    default:
      // Only a string, an array or an object may be large. Any other large value is invalid.
      throw unexpected(place.at);
  }
}

function* parsingString(text: string, place: JsonCursor): Generator<void, string> {
  const start = place.at;
  const end = jsonStringEnd(text, start);
  if (yield* isPlain(text, start + 1, end - 1)) {
    // No copy is made: a slice shares the memory of the text.
    place.at = end;
    return text.slice(start + 1, end - 1);
  }
  let value = "";
  for (let at = start + 1; at < end - 1; yield) {
    const to = at + PIECE < end - 1 ? beforeEscape(text, at + PIECE) : end - 1;
    value += parsePiece(text, at, to, '"', '"');
    at = to;
  }
  // The text ends inside this string.
  if (end === text.length && text.charCodeAt(end - 1) !== QUOTE) throw unexpected(end);
  place.at = end;
  return value;
}

/** True if a string has its closing quote at `to`, and no character before it is escaped or must be. */
function* isPlain(text: string, from: number, to: number): Generator<void, boolean> {
  if (text.charCodeAt(to) !== QUOTE) return false;
  for (let at = from; at < to; at += PIECE, yield)
    if (ESCAPED.test(text.slice(at, Math.min(to, at + PIECE)))) return false;
  return true;
}

const ESCAPED = /[\\\u0000-\u001f]/;

/** Returns `at`, or the nearest index before it that does not split an escape sequence. */
function beforeEscape(text: string, at: number): number {
  for (let i = at - 1; i >= at - 6; i--) {
    if (text.charCodeAt(i) !== BACKSLASH) continue;
    let slashes = 1;
    while (text.charCodeAt(i - slashes) === BACKSLASH) slashes++;
    // An even number of backslashes is a sequence of complete escapes.
    if (slashes % 2 === 0) return at;
    const length = text.charCodeAt(i + 1) === LETTER_U ? 6 : 2;
    return i + length > at ? i : at;
  }
  return at;
}

function* parsingArray(text: string, place: JsonCursor, maxDepth: number): Generator<void, unknown[]> {
  const list: unknown[] = [];
  const batch = { from: -1, to: 0 };
  const take = () => {
    if (batch.from < 0) return;
    for (const element of parsePiece(text, batch.from, batch.to, "[", "]") as unknown[]) list.push(element);
    batch.from = -1;
  };
  for (let isFirst = true; yield* nextJsonElement(text, place, isFirst); isFirst = false) {
    if (yield* gathering(text, place, place.at, batch, maxDepth, take)) continue;
    list.push(yield* parsingLarge(text, place, maxDepth));
  }
  take();
  return list;
}

function* parsingObject(text: string, place: JsonCursor, maxDepth: number): Generator<void, object> {
  const object = {};
  const batch = { from: -1, to: 0 };
  const take = () => {
    if (batch.from < 0) return;
    for (const [key, value] of Object.entries(parsePiece(text, batch.from, batch.to, "{", "}") as object))
      setJsonMember(object, key, value);
    batch.from = -1;
  };
  for (let member = yield* nextJsonMember(text, place); member; member = yield* nextJsonMember(text, place)) {
    if (yield* gathering(text, place, member.keyStart, batch, maxDepth, take)) continue;
    setJsonMember(object, jsonKeyOf(text, member), yield* parsingLarge(text, place, maxDepth));
  }
  take();
  return object;
}

/** Adjacent small elements or members that are parsed together, because parsing each one separately takes longer. */
interface Batch {
  from: number;
  to: number;
}

/**
 * Adds the element or member whose value starts at `place` to the batch, and moves `place` to the end of the value.
 *
 * @param start index at which the element or the key of the member starts
 * @param take parses the batch and empties it
 * @returns false if the value is too large for a batch; the batch so far has then been taken
 */
function* gathering(
  text: string,
  place: JsonCursor,
  start: number,
  batch: Batch,
  maxDepth: number,
  take: () => void,
): Generator<void, boolean> {
  const end = smallEnd(text, place.at, maxDepth);
  if (end === place.at) throw unexpected(end);
  if (end === undefined) {
    take();
    return false;
  }
  place.at = end;
  if (batch.from < 0) batch.from = start;
  batch.to = end;
  if (end - batch.from > PIECE) {
    take();
    yield;
  }
  return true;
}

/** Sets a member of any name. A plain assignment to `__proto__` would change the prototype. */
function setJsonMember(object: object, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { configurable: true, enumerable: true, writable: true, value });
  else (object as Record<string, unknown>)[key] = value;
}

function parsePiece(text: string, from: number, to: number, before = "", after = ""): unknown {
  try {
    return JSON.parse(`${before}${text.slice(from, to)}${after}`);
  } catch (cause) {
    throw new SyntaxError(`no JSON between the characters ${from} and ${to}`, { cause });
  }
}

function* pastSpace(text: string, from: number): Generator<void, number> {
  for (let at = from; ; yield) {
    const end = Math.min(text.length, at + STEPS);
    at = skipJsonSpace(text, at, end);
    if (at < end || end === text.length) return at;
  }
}

const unexpected = (at: number) => new SyntaxError(`unexpected text at character ${at}`);
