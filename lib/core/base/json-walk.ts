const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Returns the index of the first character at or after `from` that is not JSON white space. */
export function skipJsonSpace(text: string, from: number, end = text.length): number {
  let at = from;
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) break;
  }
  return at;
}

/**
 * Returns the index after the string that starts at `at`. It jumps from quote to quote, so long strings cost little.
 */
export function jsonStringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** How far a value has been read. */
interface JsonPosition {
  at: number;
  depth: number;
  /** The deepest nesting so far. */
  deepest: number;
}

/**
 * Moves `place` from the start of a value to the index after it.
 *
 * @param steps maximum number of characters and strings to visit
 * @returns false if the value continues after that many steps
 */
export function walkJsonValue(text: string, place: JsonPosition, steps: number): boolean {
  let { at, depth, deepest } = place;
  let stepsLeft = steps;
  for (; at < text.length && stepsLeft > 0; stepsLeft--) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = jsonStringEnd(text, at);
      if (depth === 0) break;
      continue;
    }
    if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > deepest) deepest = depth;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      if (depth === 0) break;
      if (--depth === 0) {
        at++;
        break;
      }
    } else if (depth === 0 && (c === COMMA || c === 32 || c === 10 || c === 13 || c === 9)) break;
    at++;
  }
  place.at = at;
  place.depth = depth;
  place.deepest = deepest;
  return stepsLeft > 0;
}
