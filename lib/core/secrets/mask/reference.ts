/** Matches `${env:NAME}` and `${keyring:NAME}`, for use in other expressions. */
export const REFERENCE = "\\$\\{(?:env|keyring):[^{}\\r\\n]{1,256}\\}";

const WHOLE = new RegExp(`^${REFERENCE}$`);
const PIECES = new RegExp(`(${REFERENCE})`);

/** True if a value is one secret reference and nothing else. Such a value is never masked (spec 000 §2.9 rule 2). */
export function isReference(value: string): boolean {
  return WHOLE.test(value);
}

/** Splits a text into its references and the text between them, in order, without empty parts. */
export function splitReferences(text: string): { text: string; reference: boolean }[] {
  return text
    .split(PIECES)
    .map((piece, i) => ({ text: piece, reference: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
