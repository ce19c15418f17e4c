/**
 * Text of one top-level member of a JSON object, exactly as it stands; of several with the same key the last, as
 * `JSON.parse` takes it.
 *
 * @param text known to be valid JSON
 * @returns undefined when it is no object or has no such member
 */
export function memberText(text: string, key: string): string | undefined {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
  let found: string | undefined;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at);
    const named = isKey(text, at, keyEnd, key);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOf(text, start);
    if (named) found = text.slice(start, end);
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return found;
}

/** Texts of the elements of a JSON array. @param text known to be a valid JSON array */
export function elementTexts(text: string): string[] {
  const out: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = endOf(text, at);
    out.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return out;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A key may be written with escapes; then it is decoded before it is compared. */
function isKey(text: string, start: number, end: number, key: string): boolean {
  if (text.startsWith(key, start + 1) && start + key.length + 2 === end) return true;
  const token = text.slice(start, end);
  return token.includes("\\") && JSON.parse(token) === key;
}

export function skipSpace(text: string, at: number): number {
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) break;
  }
  return at;
}

/** Index after the string that starts at `at`; jumps from quote to quote, so long texts cost little. */
export function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Index after the value that starts at `at`. */
function endOf(text: string, at: number): number {
  const place = { at, depth: 0 };
  valueEnd(text, place, Number.POSITIVE_INFINITY);
  return place.at;
}

/** How far a value was looked at. */
interface Within {
  at: number;
  depth: number;
}

/**
 * Moves `place` from the start of a value to the index after it.
 *
 * @param steps most characters and strings looked at
 * @returns false where there is more to be looked at
 */
export function valueEnd(text: string, place: Within, steps: number): boolean {
  let { at, depth } = place;
  let left = steps;
  for (; at < text.length && left > 0; left--) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = stringEnd(text, at);
      if (depth === 0) break;
      continue;
    }
    if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++;
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
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
  return left > 0;
}
