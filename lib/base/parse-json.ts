/** Deepest nesting taken from outside; whatever walks such a value later may recurse this far without care. */
export const MAX_DEPTH = 200;

/**
 * Parses JSON text from outside, whose depth is bounded before anything recurses over it.
 *
 * @throws SyntaxError that says what is wrong
 */
export function parseJson(text: string, maxDepth = MAX_DEPTH): unknown {
  // A value nested n deep needs 2n characters, so short texts need no look.
  if (text.length > 2 * maxDepth && !depthWithin(text, maxDepth))
    throw new SyntaxError(`the text is nested more than ${maxDepth} deep`);
  return JSON.parse(text);
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Whether brackets outside strings nest at most `max` deep. Looks at the text only. */
function depthWithin(text: string, max: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = stringEnd(text, i);
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > max) return false;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
  }
  return true;
}

/** Index of the quote that closes the string opened at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
