import { splitReferences } from "./reference.ts";

const BULLETS = "••••";
/** Matches a mask, for use in other expressions. Its length is limited, so that it is cheap to try at any position. */
export const MASK = "•{4}\\S{0,2}? ?\\(\\d{1,9} chars\\)";
const PIECES = new RegExp(`(${MASK})`, "u");
const WHOLE = /^•{4}.{0,2} ?\(\d{1,9} chars\)$/su;
/** The scheme before the credential in an `Authorization` header; it is not secret. */
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)\s+$/i;

/**
 * Returns the form in which a secret is shown: `••••<last two characters> (<N> chars)` (spec 000 §2.9 rule 1).
 *
 * For a value of one or two characters only the length is shown. An empty value stays empty. References (`${env:X}`,
 * `${keyring:X}`) stay; text around them is masked. Existing masks stay as well, also between other text, because they
 * state the length of the secret, and so do bare bullets, with which another program replaced a secret.
 *
 * @returns at most four times as long as a value of five characters or more; at most 20 characters for a shorter one
 */
export function maskSecret(value: string): string {
  return splitReferences(value)
    .map(({ text, reference }) => (reference ? text : maskAround(text)))
    .join("");
}

function maskAround(text: string): string {
  if (isPlain(text)) return text;
  if (!text.includes(BULLETS)) return bullets(text);
  return text
    .split(PIECES)
    .map((piece) => (piece === "" || isPlain(piece) ? piece : bullets(piece)))
    .join("");
}

/** Masks a part of a URL that is secret because of its position or form: `••••(<N> chars)` (spec 000 §2.9 rule 4). */
export function maskInUrl(part: string): string {
  return splitReferences(part)
    .map(({ text, reference }) => (reference || looksMasked(text) ? text : `${BULLETS}(${characters(text)} chars)`))
    .join("");
}

/** True if a text is one mask of either form and nothing else. */
export function looksMasked(text: string): boolean {
  return WHOLE.test(text);
}

/** True if a text contains a mask or a part of one, also in percent-encoded form. */
export function containsMask(text: string): boolean {
  return text.includes(BULLETS) || /(?:%E2%80%A2){4}/i.test(text);
}

function isPlain(text: string): boolean {
  return text.trim() === "" || SCHEME.test(text) || looksMasked(text) || /^•+$/.test(text);
}

function bullets(text: string): string {
  const n = characters(text);
  const lastCharacters = n > 2 ? lastTwo(text) : "";
  return `${BULLETS}${lastCharacters} (${n} chars)`;
}

/** Returns the last two characters of a text without splitting a surrogate pair. */
function lastTwo(text: string): string {
  return [...text.slice(-4)].slice(-2).join("");
}

function characters(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}
