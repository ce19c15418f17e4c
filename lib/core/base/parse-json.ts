import { jsonStringEnd } from "./json-walk.ts";

/** Deepest nesting accepted in JSON from outside. Code that walks such a value may recurse this far. */
export const MAX_JSON_DEPTH = 200;

/**
 * Maximum number of members and elements in a value from outside, in all its objects and arrays together. Many values
 * block the event loop: a hundred thousand different keys take as long as 50 MB of text.
 */
const MAX_JSON_VALUES = 100_000;

/** Thrown for a text that is nested too deeply or has too many values; it is not parsed. */
export class JsonBoundError extends SyntaxError {
  override readonly name = "JsonBoundError";
}

export interface JsonLimits {
  depth?: number;
  values?: number;
}

/**
 * Parses JSON text from outside. The depth and the number of values are checked before anything is built from it.
 *
 * @throws SyntaxError that says what is wrong
 * @throws JsonBoundError if the text exceeds a limit
 */
export function parseJson(text: string, limits: JsonLimits = {}): unknown {
  if (isWorthALook(text, limits)) {
    const steps = checkJsonBounds(text, limits);
    while (!steps.next().done);
  }
  return JSON.parse(text);
}

/**
 * False if the text is too short to exceed a limit: nesting of depth n, or n elements, needs at least 2n characters.
 */
function isWorthALook(text: string, { depth = MAX_JSON_DEPTH, values = MAX_JSON_VALUES }: JsonLimits): boolean {
  return text.length > 2 * Math.min(depth, values);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Number of characters and strings between two pauses; they take less than a millisecond. */
const PIECE = 50_000;

/** Rejects a text that is nested too deeply or has too many values, by counting brackets and commas outside strings. */
export function* checkJsonBounds(
  text: string,
  { depth: maxDepth = MAX_JSON_DEPTH, values: maxValues = MAX_JSON_VALUES }: JsonLimits,
): Generator<void, void> {
  let depth = 0;
  let values = 0;
  for (let i = 0, steps = 1; i < text.length; i++, steps++) {
    if (steps % PIECE === 0) yield;
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = jsonStringEnd(text, i) - 1;
    else if (c === COMMA || c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++values > maxValues)
        throw new JsonBoundError(`the text contains more than ${maxValues} members and elements`);
      if (c !== COMMA && ++depth > maxDepth) throw new JsonBoundError(`the text is nested more than ${maxDepth} deep`);
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
  }
}
