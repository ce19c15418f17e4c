import { jsonStringEnd, skipJsonSpace, walkJsonValue } from "../../base/json-walk.ts";

/**
 * Returns the exact text of one top-level member of a JSON object. If a key occurs several times, the last one counts,
 * as in `JSON.parse`.
 *
 * @param text valid JSON
 * @returns undefined if it is not an object or has no such member
 */
export function memberText(text: string, key: string): string | undefined {
  let at = skipJsonSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
  let found: string | undefined;
  at = skipJsonSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = jsonStringEnd(text, at);
    const named = isKey(text, at, keyEnd, key);
    const start = skipJsonSpace(text, skipJsonSpace(text, keyEnd) + 1);
    const end = endOf(text, start);
    if (named) found = text.slice(start, end);
    at = skipJsonSpace(text, skipJsonSpace(text, end) + 1);
  }
  return found;
}

/** Returns the texts of the elements of a JSON array. @param text a valid JSON array */
export function elementTexts(text: string): string[] {
  const out: string[] = [];
  let at = skipJsonSpace(text, skipJsonSpace(text, 0) + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = endOf(text, at);
    out.push(text.slice(at, end));
    at = skipJsonSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipJsonSpace(text, at + 1);
  }
  return out;
}

const QUOTE = 34;
const COMMA = 44;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;

/** True if the string is the key. A key with escapes is decoded before the comparison. */
function isKey(text: string, start: number, end: number, key: string): boolean {
  if (text.startsWith(key, start + 1) && start + key.length + 2 === end) return true;
  const token = text.slice(start, end);
  return token.includes("\\") && JSON.parse(token) === key;
}

/** Returns the index after the value that starts at `at`. */
function endOf(text: string, at: number): number {
  const place = { at, depth: 0, deepest: 0 };
  walkJsonValue(text, place, Number.POSITIVE_INFINITY);
  return place.at;
}
