import { splitReferences } from "./reference.ts";

const BULLETS = "••••";
/** Matches a mask, for use in other expressions; bounded in length, so that trying it at any position is cheap. */
export const MASK = "•{4}\\S{0,2}? ?\\(\\d{1,9} chars\\)";
const PIECES = new RegExp(`(${MASK})`, "u");
const WHOLE = /^•{4}.{0,2} ?\(\d{1,9} chars\)$/su;
/** The scheme before the credential of an `Authorization` value, which is not secret. */
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)\s+$/i;

/**
 * The form in which a secret is shown: `••••<last two characters> (<N> chars)` (spec 000 §2.9 rule 1).
 *
 * A value of one or two characters shows its length only, as its last two are all of it. An empty value hides nothing
 * and stays empty. A reference (`${env:X}`, `${keyring:X}`) stays; where one is mixed with other text, the text is
 * masked and the reference stays. A mask stays as it is, also between other text: its length is that of the secret; so
 * do bare bullets, with which another program replaced a secret.
 *
 * @returns at most four times as long as a value of five characters or more, else at most 20
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

/** Masks a part of a URL that is secret by its position or shape: `••••(<N> chars)` (spec 000 §2.9 rule 4). */
export function maskInUrl(part: string): string {
  return splitReferences(part)
    .map(({ text, reference }) => (reference || looksMasked(text) ? text : `${BULLETS}(${characters(text)} chars)`))
    .join("");
}

/** Whether a text is a mask, in either form, and nothing else. */
export function looksMasked(text: string): boolean {
  return WHOLE.test(text);
}

/** Whether a text holds a mask or a piece of one, also where a client has percent-encoded it. */
export function containsMask(text: string): boolean {
  return text.includes(BULLETS) || /(?:%E2%80%A2){4}/i.test(text);
}

function isPlain(text: string): boolean {
  return text.trim() === "" || SCHEME.test(text) || looksMasked(text) || /^•+$/.test(text);
}

function bullets(text: string): string {
  const n = characters(text);
  const shown = n > 2 ? lastTwo(text) : "";
  return `${BULLETS}${shown} (${n} chars)`;
}

/** The end of a text without cutting a character in half. */
function lastTwo(text: string): string {
  return [...text.slice(-4)].slice(-2).join("");
}

function characters(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}
